/** The UUIDs of a daemon under measurement, which `known-ids.mjs` hands out in order. */
export const ID_PREFIX = 'b0000000-0000-4000-8000-'

export const idOf = (index: number): string => `${ID_PREFIX}${index.toString(16).padStart(12, '0')}`

/** @returns -1 when the id is none of the sequence */
export const indexOf = (id: string): number => (id.startsWith(ID_PREFIX) ? Number.parseInt(id.slice(24), 16) : -1)
