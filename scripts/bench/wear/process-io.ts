import { existsSync, readFileSync, statSync } from 'node:fs'

/** Bytes that a process has written so far. */
export interface Written {
  /** Handed to the kernel, wherever it goes: files, sockets, pipes. */
  handed: number
  /** Pages of files that went to a disk or will. */
  toDisk: number
}

export function writtenBy(pid: number): Written {
  const io = readFileSync(`/proc/${pid}/io`, 'latin1')
  const counter = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(io)?.[1])
  return { handed: counter('wchar'), toDisk: counter('write_bytes') }
}

/** Linux counts in sectors of this size, whatever the disk has. */
const SECTOR = 512
const MINOR_BITS = 8

/**
 * What the disk of a folder has been given so far, bytes: also the journal of its file system, which no process is
 * charged for, and what everybody else writes there. Undefined where the kernel does not tell.
 */
export function writtenToDiskOf(folder: string): number | undefined {
  const { dev } = statSync(folder)
  const path = `/sys/dev/block/${dev >> MINOR_BITS}:${dev & ((1 << MINOR_BITS) - 1)}/stat`
  if (!existsSync(path)) return undefined
  return Number(readFileSync(path, 'latin1').trim().split(/\s+/)[6]) * SECTOR
}
