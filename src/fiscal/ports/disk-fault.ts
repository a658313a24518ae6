/** What a disk or memory card did when SQLite asked it for something. */
export type DiskFault = 'full' | 'refuses_writes' | 'unreadable'

/**
 * By the code of SQLite or of the system, of an error or of one of its causes; null for every other error.
 *
 * After a failed flush the kernel may take pages for written that are not: a process that goes on reads from its memory
 * what is not on the disk.
 */
export function diskFaultOf(error: unknown): DiskFault | null {
  if (typeof error !== 'object' || error === null) return null
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  return (typeof code === 'string' ? faultOf(code) : null) ?? diskFaultOf(cause)
}

function faultOf(code: string): DiskFault | null {
  if (code === 'SQLITE_FULL' || code === 'ENOSPC' || code === 'EDQUOT') return 'full'
  if (
    /^SQLITE_(?:IOERR_(?:WRITE|FSYNC|DIR_FSYNC|TRUNCATE)|READONLY(?:_DIRECTORY)?)$/.test(code) ||
    code === 'EROFS' ||
    code === 'EIO'
  )
    return 'refuses_writes'
  // Of a full disk the index of the log cannot be made larger, either.
  if (/^SQLITE_IOERR(?!_SHM)/.test(code)) return 'unreadable'
  return null
}
