import { randomInt } from 'node:crypto'

const LETTERS = 4
const IDS = 36 ** LETTERS

/**
 * Ids for function 48 of `GS ( H`: no id repeats before all others were used, so a late answer cannot match wrongly.
 */
export function createProcessIds(start = randomInt(IDS)): () => string {
  let next = start
  return () => {
    const id = next.toString(36).toUpperCase().padStart(LETTERS, '0')
    next = (next + 1) % IDS
    return id
  }
}
