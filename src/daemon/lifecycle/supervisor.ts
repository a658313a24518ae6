import { execFile } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Logger } from 'pino'

/** Short of memory it may not come to speaking; without a second try READY would never come. */
const COMMAND_MS = 5000
const TRIES = 5
const AGAIN_MS = 1000

/** sd_notify(3) by `systemd-notify`, for Node has no such sockets; the unit needs `NotifyAccess=all`. */
export function createSupervisor(env: NodeJS.ProcessEnv, log: Logger) {
  const { NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID = String(process.pid) } = env
  const watchdogMs = WATCHDOG_PID === String(process.pid) ? Number(WATCHDOG_USEC ?? 0) / 1000 : 0
  let timer: NodeJS.Timeout | undefined

  let stops = false

  async function notify(...state: string[]): Promise<boolean> {
    if (!NOTIFY_SOCKET) return true
    try {
      await promisify(execFile)('systemd-notify', state, { env: { ...env, NOTIFY_SOCKET }, timeout: COMMAND_MS })
      return true
    } catch (error) {
      log.error({ err: error }, 'systemd could not be told')
      return false
    }
  }

  async function insist(...state: string[]): Promise<void> {
    for (let tries = 1; !stops && !(await notify(...state)) && tries < TRIES; tries++)
      await setTimeout(AGAIN_MS, undefined, { ref: false })
  }

  return {
    ready: (): Promise<void> => insist(`MAINPID=${process.pid}`, 'READY=1'),
    /**
     * At half its watchdog interval, each time after `signOfLife` resolves. When that fails, or the event loop is
     * blocked, nothing is reported and systemd restarts the daemon.
     */
    watch(signOfLife: () => Promise<void>): void {
      if (!NOTIFY_SOCKET || !(watchdogMs > 0)) return
      const show = () =>
        signOfLife().then(
          () => insist('WATCHDOG=1'),
          (error: unknown) => log.error({ err: error }, 'no sign of life: the database takes no writes'),
        )
      timer = setInterval(show, watchdogMs / 2)
      timer.unref()
      void show()
    },
    async stopping(): Promise<void> {
      stops = true
      clearInterval(timer)
      await notify('STOPPING=1')
    },
  }
}
