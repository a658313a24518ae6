/** What may still be written to the disk: as it fills up, first logs stop, then archived XML, then sales. */
export type DiskRoom = 'everything' | 'no_diagnostics' | 'no_archive' | 'no_sales'

/** What is not stored for want of room. */
export type LeftOut = 'logs' | 'messages' | 'sales'

export interface DiskSpace {
  /** Null when it is unknown. */
  freeBytes: number | null
  room: DiskRoom
}

export type LookAtDisk = () => Promise<DiskSpace>

/**
 * @param floorBytes below this, logs stop; below a half of it, archives; below a tenth, sales. The last tenth is for
 *   the outcomes of sales in progress
 */
export function roomFor(freeBytes: number, floorBytes: number): DiskRoom {
  if (freeBytes < floorBytes / 10) return 'no_sales'
  if (freeBytes < floorBytes / 2) return 'no_archive'
  return freeBytes < floorBytes ? 'no_diagnostics' : 'everything'
}

export const keepsXml = ({ room }: DiskSpace): boolean => room === 'everything' || room === 'no_diagnostics'

const LEFT_OUT: Record<DiskRoom, readonly LeftOut[]> = {
  everything: [],
  no_diagnostics: ['logs'],
  no_archive: ['logs', 'messages'],
  no_sales: ['logs', 'messages', 'sales'],
}

/** From what can be missed first on. */
export const leftOut = (room: DiskRoom): LeftOut[] => [...LEFT_OUT[room]]
