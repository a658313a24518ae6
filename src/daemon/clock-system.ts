import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { uptime } from 'node:os'
import { promisify } from 'node:util'
import type { SystemClock } from '../fiscal/ports.ts'

export interface SystemClockOptions {
  /** Touched by systemd-timesyncd whenever it has heard a time server. */
  syncedPath?: string
  timedatectl?: string
}

const MINUTE_MS = 60_000

/** A time server is asked every 34 minutes at the least. */
const SYNC_LASTS_MS = 45 * MINUTE_MS

const PATIENCE_MS = 2000

/** The clocks of this machine. What has elapsed is told by the kernel, and includes the time that it was asleep. */
export function systemClock(options: SystemClockOptions = {}): SystemClock {
  const { syncedPath = '/run/systemd/timesync/synchronized', timedatectl = 'timedatectl' } = options

  async function wasJustSynchronised(): Promise<boolean> {
    const touched = await stat(syncedPath).catch(() => undefined)
    const age = Date.now() - (touched?.mtimeMs ?? Number.NEGATIVE_INFINITY)
    // A clock that was moved since makes the file too old, or puts it into the future.
    return age >= -MINUTE_MS && age <= SYNC_LASTS_MS
  }

  async function askSystemd(): Promise<boolean | null> {
    try {
      const told = await promisify(execFile)(timedatectl, ['show'], {
        timeout: PATIENCE_MS,
        killSignal: 'SIGKILL',
        env: { ...process.env, TZ: 'UTC', LC_ALL: 'C' },
      })
      const fields = new Map(told.stdout.split('\n').map((line) => line.split(/=(.*)/s) as [string, string]))
      if (fields.get('NTPSynchronized') !== 'yes') return fields.get('NTPSynchronized') === 'no' ? false : null
      // What is synchronised is the clock it shows; a container, or a test, may be shown another one.
      const shown = Date.parse(fields.get('TimeUSec')?.replace(/^\w+ /, '') ?? '')
      return Math.abs(shown - Date.now()) < MINUTE_MS ? true : null
    } catch {
      return null
    }
  }

  return {
    now: Date.now,
    elapsed: () => uptime() * 1000,
    synchronised: async () => (await wasJustSynchronised()) || askSystemd(),
  }
}
