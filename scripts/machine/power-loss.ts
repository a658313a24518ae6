import { createChance } from '../chaos/chance.ts'

/** Bytes at a place of a disk. */
export interface DiskWrite {
  offset: number
  data: Buffer
}

/** What becomes of writes that were not flushed when the current went. */
export interface Loss {
  /** `some`: each with even chance, so that later ones may survive earlier ones: a card writes in the order it likes. */
  keep: 'none' | 'all' | 'some'
  /** Of some writes only some sectors survive. A sector is whole or not there. */
  torn?: boolean
  seed: number
}

/** What a disk writes whole or not at all. */
const SECTOR = 512

/** Chooses what survives. @returns the writes or parts of writes, in order, and how many are not whole */
export function survivorsOf(waiting: readonly DiskWrite[], loss: Loss): { writes: DiskWrite[]; lost: number } {
  const chance = createChance(loss.seed)
  if (loss.keep === 'none') return { writes: [], lost: waiting.length }
  const kept = loss.keep === 'all' ? [...waiting] : waiting.filter(() => chance.happens(0.5))
  if (!loss.torn) return { writes: kept, lost: waiting.length - kept.length }
  let torn = 0
  const writes = kept.flatMap((write) => {
    if (chance.happens(0.5)) return [write]
    torn++
    return sectorsOf(write).filter(() => chance.happens(0.5))
  })
  return { writes, lost: waiting.length - kept.length + torn }
}

function sectorsOf({ offset, data }: DiskWrite): DiskWrite[] {
  return Array.from({ length: Math.ceil(data.length / SECTOR) }, (_, i) => ({
    offset: offset + i * SECTOR,
    data: data.subarray(i * SECTOR, (i + 1) * SECTOR),
  }))
}
