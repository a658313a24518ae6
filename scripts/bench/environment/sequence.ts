/**
 * The UUIDs of a daemon under measurement, which `known-ids.mjs` hands out in order. They begin as differently as random
 * ones do: each new one belongs on another page of an index.
 */
export const idOf = (index: number): string => `${headOf(index)}${TAIL}${index.toString(16).padStart(12, '0')}`

const TAIL = '-0000-4000-8000-'

/** An odd factor leads from each index to another head. */
const headOf = (index: number) => (Math.imul(index, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')

/** @returns -1 when the id is none of the sequence */
export function indexOf(id: string): number {
  const index = Number.parseInt(id.slice(-12), 16)
  return id === idOf(index) ? index : -1
}
