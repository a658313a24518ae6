/** For a configuration or address, as JSON: every sale reads two of them, and a list may show 200. */
export const CONFIG_BYTES = 32 * 1024

/** A page of a list ends before it has so many bytes of JSON: `limit` alone would allow 200 rows of 256 KB. */
export const PAGE_BYTES = 2 * 1024 * 1024

/** Rows that are read at once where they may be large, which takes a tenth of a second for the largest. */
export const LARGE_ROWS = 8

/** Of a row as an answer shows it, which may add a little to what is stored. */
export function bytesOf(row: unknown): number {
  const json = JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  return Buffer.byteLength(json) + 1024
}
