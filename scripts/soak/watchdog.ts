import { listenForService } from '../chaos/notify.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { pause, tick } from '../chaos/wait.ts'
import type { KillableProcess } from '../chaos-sync/machine.ts'
import { riseOrThrow } from '../chaos-sync/servers.ts'
import type { SharedClock } from './shared-clock.ts'

/** systemd's watchdog for the daemon, by the shared clock. */
export interface Watchdog {
  /** The daemon's variables. */
  env: Record<string, string>
  /** Ends and starts the daemon that has not been heard of for too long. Call it after each jump of the clock. */
  look(): Promise<void>
  /** When it did, and what it had heard last. */
  restarts: string[]
  /** How often the daemon reported that it is alive. */
  reports: number
}

/**
 * Four times WatchdogSec of systemd/fiskd.service: each sign of life is a process of its own, and a week has 20,000 of
 * them. TimeoutStopSec and RestartSec are those of the unit.
 */
const WATCHDOG_MS = 240_000
const STOP_MS = 30_000
const RESTART_MS = 2000

/** What it said may still be on its way from the listener, in real time: nobody else waits for that one. */
const ON_ITS_WAY_MS = 5000

export async function startWatchdog(
  clock: SharedClock,
  daemon: () => KillableProcess,
  scratch: Scratch,
): Promise<Watchdog> {
  let heardAt = tick()
  // The listener does not go by the shared clock: it waits in another way than the clock knows.
  const socket = await listenForService(scratch, (field) => {
    if (field === 'READY=1' || field === 'WATCHDOG=1') heardAt = tick()
    if (field === 'WATCHDOG=1') watchdog.reports++
  })
  const watchdog: Watchdog = {
    env: { NOTIFY_SOCKET: socket, WATCHDOG_USEC: String(WATCHDOG_MS * 1000) },
    restarts: [],
    reports: 0,
    async look() {
      if (tick() - heardAt <= WATCHDOG_MS) return
      const patience = clock.realTick() + ON_ITS_WAY_MS
      while (tick() - heardAt > WATCHDOG_MS && clock.realTick() < patience) await pause(1)
      if (tick() - heardAt > WATCHDOG_MS) await restart()
    },
  }

  async function restart(): Promise<void> {
    const pid = daemon().pid() ?? 0
    const silence = Math.round((tick() - heardAt) / 1000)
    watchdog.restarts.push(`at ${new Date().toISOString()}, ${silence} s after the last sign of life`)
    process.kill(pid, 'SIGABRT')
    clock.advance(STOP_MS)
    await daemon().kill()
    clock.advance(RESTART_MS)
    heardAt = tick()
    await riseOrThrow(daemon())
    heardAt = tick()
    await clock.quiet()
  }

  return watchdog
}
