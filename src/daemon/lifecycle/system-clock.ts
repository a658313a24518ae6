import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { uptime } from 'node:os'
import { promisify } from 'node:util'
import { MINUTE_MS } from '../../domain/instant.ts'
import type { SystemClock } from '../../fiscal/ports/clock.ts'

export interface SystemClockOptions {
  /** Touched by systemd-timesyncd whenever it has heard a time server. */
  syncedPath?: string
  timedatectl?: string
}

/** A time server is asked every 34 minutes at the least. */
const SYNC_LASTS_MS = 45 * MINUTE_MS

const PATIENCE_MS = 2000

/** How long what the kernel said goes on by the clock of the process. */
const ASKED_EVERY_MS = 250
/** The clock on the wall and that of the process differ by less, unless one was moved or the machine was asleep. */
const MOVED_MS = 20

/** Also while asleep; never less than before. Asking the kernel is slow, and a sale asks some twenty times. */
function steadyUptime(): () => number {
  let asked = { at: Number.NEGATIVE_INFINITY, shown: 0, uptimeMs: 0 }
  let latest = 0
  return () => {
    const at = performance.now()
    const shown = Date.now()
    const passed = at - asked.at
    // The clock of the process stands still while the machine is asleep: then the other one has gone on alone.
    const isStale = passed >= ASKED_EVERY_MS || Math.abs(shown - asked.shown - passed) > MOVED_MS
    if (isStale) asked = { at, shown, uptimeMs: uptime() * 1000 }
    latest = Math.max(latest, asked.uptimeMs + at - asked.at)
    return latest
  }
}

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
    elapsed: steadyUptime(),
    synchronised: async () => (await wasJustSynchronised()) || askSystemd(),
  }
}
