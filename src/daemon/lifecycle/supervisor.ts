import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Logger } from 'pino'

/** The program that started the daemon and restarts it when it fails: systemd, or none. */
export interface Supervisor {
  /** Reports that the daemon accepts sales now. */
  ready(): Promise<void>
  /**
   * Reports to systemd at half its watchdog interval that the daemon is alive, each time after `signOfLife` resolves.
   * When it fails, or the event loop is blocked, nothing is reported and systemd restarts the daemon.
   */
  watch(signOfLife: () => Promise<void>): void
  /** Reports that the daemon is stopping. */
  stopping(): Promise<void>
}

/**
 * Speaks sd_notify(3) through the command `systemd-notify`, for Node has no datagram sockets of the Unix kind; the unit
 * needs `NotifyAccess=all`. Without systemd nothing is said.
 */
export function createSupervisor(env: NodeJS.ProcessEnv, log: Logger): Supervisor {
  const { NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID = String(process.pid) } = env
  const watchdogMs = WATCHDOG_PID === String(process.pid) ? Number(WATCHDOG_USEC ?? 0) / 1000 : 0
  let timer: NodeJS.Timeout | undefined

  async function notify(...state: string[]): Promise<void> {
    if (!NOTIFY_SOCKET) return
    try {
      await promisify(execFile)('systemd-notify', state, { env: { ...env, NOTIFY_SOCKET }, timeout: 5000 })
    } catch (error) {
      log.error({ err: error }, 'systemd could not be told')
    }
  }

  return {
    ready: () => notify(`MAINPID=${process.pid}`, 'READY=1'),
    watch(signOfLife) {
      if (!NOTIFY_SOCKET || !(watchdogMs > 0)) return
      const show = () =>
        signOfLife().then(
          () => notify('WATCHDOG=1'),
          (error: unknown) => log.error({ err: error }, 'no sign of life: the database takes no writes'),
        )
      timer = setInterval(show, watchdogMs / 2)
      timer.unref()
      void show()
    },
    async stopping() {
      clearInterval(timer)
      await notify('STOPPING=1')
    },
  }
}
