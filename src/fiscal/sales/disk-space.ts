/** What still fits on the disk. What can be missed goes first: ordinary logs, then archived XML, then sales. */
export type DiskRoom = 'everything' | 'no_diagnostics' | 'no_archive' | 'no_sales'

export interface DiskSpace {
  /** Null when nobody can tell. */
  freeBytes: number | null
  room: DiskRoom
}

export type LookAtDisk = () => Promise<DiskSpace>

/**
 * @param floorBytes from where on something is left out; archives below a half of it, sales below a tenth: what is then
 *   left is for the outcomes of the sales under way
 */
export function roomFor(freeBytes: number, floorBytes: number): DiskRoom {
  if (freeBytes < floorBytes / 10) return 'no_sales'
  if (freeBytes < floorBytes / 2) return 'no_archive'
  return freeBytes < floorBytes ? 'no_diagnostics' : 'everything'
}

export function keepsXml({ room }: DiskSpace): boolean {
  return room === 'everything' || room === 'no_diagnostics'
}
