import { createChance } from '../chaos/chance.ts'

/** Bytes at an offset of a disk. */
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
  /** Bytes of a sector: what a disk writes whole or not at all; 512 when left out. */
  sector?: number
  seed: number
}

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
    return sectorsOf(write, loss.sector ?? SECTOR).filter(() => chance.happens(0.5))
  })
  return { writes, lost: waiting.length - kept.length + torn }
}

function sectorsOf({ offset, data }: DiskWrite, sector: number): DiskWrite[] {
  return Array.from({ length: Math.ceil(data.length / sector) }, (_, i) => ({
    offset: offset + i * sector,
    data: data.subarray(i * sector, (i + 1) * sector),
  }))
}
