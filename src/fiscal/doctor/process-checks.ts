import { type Check, fine, warning } from '../../domain/check.ts'
import type { ProcessFacts } from '../ports/machine.ts'
import type { HealthCheck } from './doctor.ts'

/** Every connection, message and file takes one. */
const OPEN_FILES_WANTED = 8192

/** How this process was started. */
export function processChecks(facts: ProcessFacts): HealthCheck[] {
  return [
    { name: 'open files', run: async () => openFilesCheck(await facts.openFileLimit()) },
    { name: 'watchdog', run: async () => watchdogCheck(facts.watchdog()) },
  ]
}

function openFilesCheck(limit: string | null): Check[] {
  const name = 'open files'
  const detail = `fiskd may open ${limit ?? 'an unknown number of'}`
  if (limit === 'unlimited' || Number(limit) >= OPEN_FILES_WANTED) return [fine(name, detail)]
  const fix = `put LimitNOFILE=${OPEN_FILES_WANTED} under [Service] with: sudo systemctl edit fiskd, and restart it`
  return [warning(name, `${detail}: too few for many machines at once`, fix)]
}

/** Nothing to find where no service manager has started it. */
function watchdogCheck(watchdog: { seconds: number } | null): Check[] {
  const name = 'watchdog'
  if (!watchdog) return []
  if (watchdog.seconds > 0) {
    return [fine(name, `systemd starts fiskd anew when it gives no sign of life for ${watchdog.seconds} s`)]
  }
  const fix =
    'put Type=notify, NotifyAccess=all and WatchdogSec=60 under [Service] with: sudo systemctl edit fiskd, and restart it'
  return [warning(name, 'systemd would not notice if fiskd hung', fix)]
}
