import { type Check, failure, fine, warning } from '../../domain/check.ts'
import type { DataDisk } from '../ports/machine.ts'
import { type HealthCheck, skippedAfter } from './doctor.ts'
import { judgeFileSystem, mountOf } from './file-system.ts'

/** Fewer are used up by the next few files; half as many more are a warning. */
const FEW_INODES = 100
const SHORT_OF_INODES = 1000

const OTHER_DISK = 'stop fiskd, move the data directory to a local ext4 disk, and name it with FISKD_DATA_DIR'

/** Whether the disk of the data directory takes and keeps what is written to it. */
export function storageChecks(disk: DataDisk): HealthCheck[] {
  return [
    { name: 'disk writes', run: async () => [await writesCheck(disk)] },
    { name: 'file system', run: async () => [await fileSystemCheck(disk)] },
    { name: 'inodes', run: async () => [await inodesCheck(disk)] },
  ]
}

async function writesCheck(disk: DataDisk): Promise<Check> {
  const name = 'disk writes'
  const mount = mountOf(await disk.realPath(), await disk.mounts())
  try {
    const tookMs = Math.round(await disk.trialWrite())
    if (tookMs <= disk.slowWriteMs()) return fine(name, `a trial write was on the disk in ${tookMs} ms`)
    const fix = 'look for errors of the disk (dmesg), and replace an old SD card: fisk backup FILE first'
    return warning(name, `a trial write took ${tookMs} ms to reach the disk: every sale waits as long`, fix)
  } catch (error) {
    return refused(name, disk.dataDir, error as NodeJS.ErrnoException, mount?.options ?? [])
  }
}

function refused(
  name: string,
  dataDir: string,
  { code, message }: NodeJS.ErrnoException,
  options: readonly string[],
): Check {
  if (code === 'ENOSPC') return skippedAfter(name, 'disk')
  if (code === 'EROFS') {
    const self = options.includes('errors=remount-ro') ? ': the kernel does so after an error of the disk' : ''
    const fix =
      'look for errors of the disk (dmesg), then restart the machine; a card that does it again is worn out: ' +
      'replace it, and restore the last backup'
    return failure(name, `the disk of ${dataDir} has become read-only${self}`, fix)
  }
  if (code === 'EIO') {
    const fix = 'replace the disk or SD card at once, and restore the last backup'
    return failure(name, `the disk of ${dataDir} reports errors (EIO)`, fix)
  }
  if (code === 'EDQUOT') return failure(name, 'the disk quota is used up', 'free some space, or raise the quota')
  return failure(
    name,
    `nothing can be written to ${dataDir}: ${message}`,
    'let the user that fiskd runs as write there',
  )
}

async function fileSystemCheck(disk: DataDisk): Promise<Check> {
  const name = 'file system'
  const cmdline = await disk.kernelCommandLine()
  const { is, why } = judgeFileSystem(await disk.realPath(), await disk.mounts(), cmdline)
  const detail = `it is on ${why}`
  if (is === 'fit') return fine(name, detail)
  return is === 'unknown' ? warning(name, detail, OTHER_DISK) : failure(name, detail, OTHER_DISK)
}

async function inodesCheck(disk: DataDisk): Promise<Check> {
  const name = 'inodes'
  const { files, free } = await disk.inodes()
  // Some file systems make them as they need them.
  if (files === 0) return fine(name, 'this file system never runs out of them')
  const detail = `${free} of ${files} are free`
  const fix = `remove what has many small files on this disk: du --inodes -x / | sort -n | tail`
  if (free < FEW_INODES) return failure(name, `${detail}: no more files can be made`, fix)
  return free < SHORT_OF_INODES ? warning(name, detail, fix) : fine(name, detail)
}
