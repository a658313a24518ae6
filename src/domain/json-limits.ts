/** Far above any sale or configuration, and far below the depth at which serialising would overflow the stack. */
export const MAX_DEPTH = 32

/** Whether a JSON value is nested more than this many levels deep. */
export function isTooDeep(value: unknown, levels = MAX_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isTooDeep(member, levels - 1))
}

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
