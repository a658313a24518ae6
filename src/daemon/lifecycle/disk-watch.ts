import { statfs } from 'node:fs/promises'
import type { Logger } from 'pino'
import { type DiskRoom, type DiskSpace, type LookAtDisk, roomFor } from '../../fiscal/sales/disk-space.ts'

/** How long a measurement is reused, so that not every sale waits for one. */
const FRESH_MS = 250

/** Ordinary log lines are left out, too. If the space cannot be measured, sales go on. @param floorBytes 0: never */
export function createDiskWatch(dataDir: string, floorBytes: number, log: Logger): LookAtDisk {
  const usualLevel = log.level
  let room: DiskRoom = 'everything'
  let lookedAt = Number.NEGATIVE_INFINITY
  let latest: Promise<DiskSpace> | undefined

  async function look(): Promise<DiskSpace> {
    try {
      const { bavail, bsize } = await statfs(dataDir)
      const freeBytes = bavail * bsize
      note(roomFor(freeBytes, floorBytes), freeBytes)
      return { freeBytes, room }
    } catch (error) {
      log.error({ err: error }, 'the free disk space is not known')
      return { freeBytes: null, room: 'everything' }
    }
  }

  function note(now: DiskRoom, freeBytes: number): void {
    if (now === room) return
    room = now
    if (now === 'everything') {
      log.level = usualLevel
      log.warn({ freeBytes }, 'there is room on the disk again')
      return
    }
    log.error({ freeBytes, room }, 'the disk is nearly full: free some space')
    if (log.isLevelEnabled('info')) log.level = 'warn'
  }

  return () => {
    if (!latest || performance.now() - lookedAt >= FRESH_MS) {
      lookedAt = performance.now()
      latest = look()
    }
    return latest
  }
}
