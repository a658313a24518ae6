import { type Check, fine, warning } from '../../domain/check.ts'
import type { ProcessFacts } from '../ports/machine.ts'
import type { HealthCheck } from './doctor.ts'

const OPEN_FILES = { en: 'open files', hr: 'broj otvorenih datoteka' }
const WATCHDOG = { en: 'watchdog', hr: 'nadzor procesa' }
/** Every connection, message and file takes one. */
const OPEN_FILES_WANTED = 8192

/** How this process was started. */
export function processChecks(facts: ProcessFacts): HealthCheck[] {
  return [
    { name: OPEN_FILES, run: async () => openFilesCheck(await facts.openFileLimit()) },
    { name: WATCHDOG, run: async () => watchdogCheck(facts.watchdog()) },
  ]
}

function openFilesCheck(limit: string | null): Check[] {
  const detail =
    limit === null
      ? { en: 'fiskd may open an unknown number of', hr: 'nije poznato koliko datoteka fiskd smije otvoriti' }
      : { en: `fiskd may open ${limit}`, hr: `fiskd smije otvoriti ${limit}` }
  if (limit === 'unlimited' || Number(limit) >= OPEN_FILES_WANTED) return [fine(OPEN_FILES, detail)]
  const fix = {
    en: `put LimitNOFILE=${OPEN_FILES_WANTED} under [Service] with: sudo systemctl edit fiskd, and restart it`,
    hr: `pod [Service] upišite LimitNOFILE=${OPEN_FILES_WANTED} naredbom sudo systemctl edit fiskd i ponovno pokrenite fiskd`,
  }
  return [
    warning(
      OPEN_FILES,
      { en: `${detail.en}: too few for many machines at once`, hr: `${detail.hr}: premalo za mnogo uređaja istodobno` },
      fix,
    ),
  ]
}

/** Nothing to find where no service manager has started it. */
function watchdogCheck(watchdog: { seconds: number } | null): Check[] {
  if (!watchdog) return []
  if (watchdog.seconds > 0) {
    return [
      fine(WATCHDOG, {
        en: `systemd starts fiskd anew when it gives no sign of life for ${watchdog.seconds} s`,
        hr: `systemd ponovno pokreće fiskd ako se ne javi ${watchdog.seconds} s`,
      }),
    ]
  }
  const fix = {
    en: 'put Type=notify, NotifyAccess=all and WatchdogSec=60 under [Service] with: sudo systemctl edit fiskd, and restart it',
    hr:
      'pod [Service] upišite Type=notify, NotifyAccess=all i WatchdogSec=60 naredbom sudo systemctl ' +
      'edit fiskd i ponovno pokrenite fiskd',
  }
  const detail = {
    en: 'systemd would not notice if fiskd hung',
    hr: 'systemd ne bi primijetio da je fiskd prestao raditi',
  }
  return [warning(WATCHDOG, detail, fix)]
}
