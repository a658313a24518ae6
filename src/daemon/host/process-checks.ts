import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Check, fine, warning } from '../../domain/check.ts'
import type { HealthCheck } from '../../fiscal/doctor/doctor.ts'
import type { Machine } from './machine.ts'

/** Every connection, message and file takes one. */
const OPEN_FILES_WANTED = 8192

/** How this process was started. */
export function processChecks(machine: Machine): HealthCheck[] {
  return [
    {
      name: 'open files',
      run: async () => openFilesCheck(await readFile(join(machine.proc, 'self/limits'), 'utf8')),
    },
    { name: 'watchdog', run: async () => watchdogCheck(machine.env) },
  ]
}

function openFilesCheck(limits: string): Check[] {
  const name = 'open files'
  const allowed = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1] ?? 'an unknown number of'
  const detail = `fiskd may open ${allowed}`
  if (allowed === 'unlimited' || Number(allowed) >= OPEN_FILES_WANTED) return [fine(name, detail)]
  const fix = `put LimitNOFILE=${OPEN_FILES_WANTED} under [Service] with: sudo systemctl edit fiskd, and restart it`
  return [warning(name, `${detail}: too few for many machines at once`, fix)]
}

/** Nothing to find where no service manager has started it. */
function watchdogCheck({ NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID, INVOCATION_ID, SYSTEMD_EXEC_PID }: Env): Check[] {
  const name = 'watchdog'
  const own = String(process.pid)
  // A shell of a desktop hands its own invocation down.
  const isService = NOTIFY_SOCKET !== undefined || (INVOCATION_ID !== undefined && SYSTEMD_EXEC_PID === own)
  if (!isService) return []
  const seconds = Number(WATCHDOG_USEC ?? 0) / 1_000_000
  if (NOTIFY_SOCKET !== undefined && seconds > 0 && (WATCHDOG_PID ?? own) === own) {
    return [fine(name, `systemd starts fiskd anew when it gives no sign of life for ${seconds} s`)]
  }
  const fix =
    'put Type=notify, NotifyAccess=all and WatchdogSec=60 under [Service] with: sudo systemctl edit fiskd, and restart it'
  return [warning(name, 'systemd would not notice if fiskd hung', fix)]
}

type Env = NodeJS.ProcessEnv
