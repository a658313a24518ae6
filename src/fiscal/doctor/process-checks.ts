import { type Check, fine, warning } from '../../domain/check.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { alike, type Both, joined, MODE_HR } from '../../domain/texts/both.ts'
import type { Clock } from '../ports/clock.ts'
import { LISTEN_AGAIN_S, type ListenState, type ProcessFacts } from '../ports/machine.ts'
import type { ServingProcess } from '../ports/rows/processes.ts'
import type { Store, StoreTransaction } from '../ports/store.ts'
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

const ADDRESSES = { en: 'addresses', hr: 'mrežne adrese' }
const REACH_AGAIN = {
  en:
    'plug in its network cable, or have the router give this machine the same address each time; ' +
    'or choose another one: sudo fisk init --listen ADDRESS, where 0.0.0.0 is every address that it has',
  hr:
    'priključite mrežni kabel ili podesite usmjernik da ovom računalu uvijek dodjeljuje istu adresu; ' +
    'ili odaberite drugu: sudo fisk init --listen ADDRESS, pri čemu 0.0.0.0 znači sve adrese računala',
}

export function listenChecks(listened: () => readonly ListenState[]): HealthCheck[] {
  const check = ({ address, problem }: ListenState): Check =>
    warning(
      ADDRESSES,
      {
        en: `nobody reaches fiskd at ${address}: ${problem}; it tries every ${LISTEN_AGAIN_S} s`,
        hr: `fiskd nije dostupan na adresi ${address}: ${problem}; pokušava svakih ${LISTEN_AGAIN_S} s`,
      },
      REACH_AGAIN,
    )
  return [
    {
      name: ADDRESSES,
      async run() {
        const states = listened()
        const missing = states.filter(({ problem }) => problem !== null)
        if (missing.length > 0) return missing.map(check)
        const all = states.map(({ address }) => address).join(', ')
        return [fine(ADDRESSES, { en: `reached at ${all}`, hr: `dostupno na ${all}` })]
      },
    },
  ]
}

interface ConfigurationDeps {
  store: StoreTransaction
  configuration: { deploymentMode: Mode; unknownVariables: string[] }
}

const CONFIGURATION = { en: 'configuration', hr: 'konfiguracija' }

export function configurationChecks({ store, configuration }: ConfigurationDeps): HealthCheck[] {
  const { deploymentMode, unknownVariables } = configuration
  return [{ name: CONFIGURATION, run: async () => [variablesCheck(), await modeCheck()] }]

  function variablesCheck(): Check {
    if (unknownVariables.length === 0)
      return fine(CONFIGURATION, { en: 'every variable is one of fiskd', hr: 'sve su varijable poznate' })
    const names = unknownVariables.join(', ')
    const detail = {
      en: `no variable of fiskd, without effect: ${names}`,
      hr: `nepoznate varijable, bez učinka: ${names}`,
    }
    return warning(CONFIGURATION, detail, {
      en: 'correct the spelling, or remove it: man fiskd',
      hr: 'ispravite naziv ili uklonite varijablu: man fiskd',
    })
  }

  async function modeCheck(): Promise<Check> {
    const name = { en: 'deployment mode', hr: 'način rada za nadzor' }
    const companies = (await store.companies.ours()).filter(({ status }) => status === 'active')
    const strangers = companies.length > 0 && companies.every(({ mode }) => mode !== deploymentMode)
    if (!strangers)
      return fine(name, {
        en: `${deploymentMode}, which monitoring asks about`,
        hr: `${MODE_HR[deploymentMode]} rad, što provjerava i nadzor`,
      })
    const other: Mode = deploymentMode === 'test' ? 'live' : 'test'
    const problem = {
      en: `it is ${deploymentMode}, so monitoring asks another service than the one that is sold with (${other})`,
      hr: `postavljen je ${MODE_HR[deploymentMode]} rad, pa nadzor ne provjerava uslugu s kojom se prodaje (${MODE_HR[other]} rad)`,
    }
    return warning(name, problem, {
      en: `set FISKD_DEPLOYMENT_MODE=${other} and restart fiskd`,
      hr: `postavite FISKD_DEPLOYMENT_MODE=${other} i ponovno pokrenite fiskd`,
    })
  }
}
