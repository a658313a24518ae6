import { clean } from './columns.ts'

/** In two rows, as a person compares it with that of a certificate on a board's screen; none where it is not known. */
export function fingerprintRows(name: string, sha256: string | null): [name: string, value: string][] {
  if (sha256 === null) return []
  const half = sha256.indexOf(':', sha256.length / 2 - 1) + 1
  return [
    [name, clean(sha256.slice(0, half))],
    ['', clean(sha256.slice(half))],
  ]
}
