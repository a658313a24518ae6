import { type Check, fine, warning } from '../../domain/check.ts'
import { alike, type Both, joined } from '../../domain/texts/both.ts'
import type { Clock } from '../ports/clock.ts'
import type { ProcessFacts } from '../ports/machine.ts'
import type { ServingProcess } from '../ports/rows/processes.ts'
import type { Store } from '../ports/store.ts'
import type { HealthCheck } from './doctor.ts'

const OPEN_FILES = { en: 'open files', hr: 'broj otvorenih datoteka' }
const WATCHDOG = { en: 'watchdog', hr: 'nadzor procesa' }
/** Every connection, message and file takes one. */
const OPEN_FILES_WANTED = 8192

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

/** How long an upgrade of all processes, one after the other, may take. */
const UPGRADE_MINUTES = 30

export interface ServingProcessDeps {
  store: Pick<Store, 'processes'>
  clock: Clock
  /** How many processes the server is meant to have; null where nobody says. */
  wanted: number | null
}

/** Whether all processes of a server on PostgreSQL are there, and of one version. Nothing to find elsewhere. */
export function servingProcessChecks({ store, clock, wanted }: ServingProcessDeps): HealthCheck[] {
  const name = { en: 'processes', hr: 'procesi' }
  return [
    {
      name,
      async run() {
        const processes = await store.processes.list()
        if (processes.length === 0) return []
        const found = [...missing(processes, wanted), ...mixed(processes, clock.now())]
        return found.length > 0 ? found.map(({ detail, fix }) => warning(name, detail, fix)) : [whole(name, processes)]
      },
    },
  ]
}

type Problem = { detail: Both; fix: Both }

function missing(processes: readonly ServingProcess[], wanted: number | null): Problem[] {
  if (wanted === null || processes.length >= wanted) return []
  const hosts = [...new Set(processes.map(({ host }) => host))].join(', ')
  const detail = {
    en: `${processes.length} of ${wanted} processes serve the database, on ${hosts}`,
    hr: `bazu podataka poslužuje procesa: ${processes.length} od ${wanted}, na računalima ${hosts}`,
  }
  const fix = {
    en:
      "see which one is down: systemctl list-units --all 'fiskd@*', start it: sudo systemctl start fiskd@N; " +
      'or correct FISKD_PROCESSES',
    hr:
      "pronađite koji ne radi: systemctl list-units --all 'fiskd@*', pokrenite ga: sudo systemctl start " +
      'fiskd@N; ili ispravite FISKD_PROCESSES',
  }
  return [{ detail, fix }]
}

function mixed(processes: readonly ServingProcess[], now: number): Problem[] {
  const versions = versionsOf(processes)
  const newest = processes.reduce((one, other) => (other.startedAt > one.startedAt ? other : one))
  if (versions.length === 1 || now - newest.startedAt < UPGRADE_MINUTES * 60_000) return []
  const older = processes.filter(({ version }) => version !== newest.version)
  const which = joined(
    older.map(({ host, pid, version }) => ({
      en: `process ${pid} on ${host} runs ${version}`,
      hr: `proces ${pid} na računalu ${host} ima inačicu ${version}`,
    })),
    ', ',
  )
  const detail = {
    en: `${which.en}, while the latest one has been running ${newest.version} for over ${UPGRADE_MINUTES} minutes`,
    hr: `${which.hr}, a najnoviji već dulje od ${UPGRADE_MINUTES} min radi s inačicom ${newest.version}`,
  }
  const fix = {
    en: `install ${newest.version} on these machines and restart their processes one by one: sudo systemctl restart fiskd@N`,
    hr:
      `na tim računalima instalirajte ${newest.version} i procese ponovno pokrećite jedan po jedan: sudo systemctl ` +
      'restart fiskd@N',
  }
  return [{ detail, fix }]
}

function whole(name: Both, processes: readonly ServingProcess[]): Check {
  const versions = versionsOf(processes)
  const upgrade = versions.length > 1 ? { en: ', an upgrade is under way', hr: ', nadogradnja je u tijeku' } : alike('')
  const which = versions.join(' and ')
  return fine(name, {
    en: `${processes.length} serve the database: ${which}${upgrade.en}`,
    hr: `procesa koji poslužuju bazu podataka: ${processes.length} (${versions.join(' i ')})${upgrade.hr}`,
  })
}

const versionsOf = (processes: readonly ServingProcess[]) => [...new Set(processes.map(({ version }) => version))]
