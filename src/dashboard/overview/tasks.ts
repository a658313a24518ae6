import type { Severity } from '../../domain/alert.ts'
import { type FiscalErrorCode, UNPROVEN_JIR } from '../../domain/sale/invoice.ts'
import type { BlockerCause } from '../../domain/texts/blocker-texts.ts'
import type { Blocker } from '../../fiscal/doctor/blockers/blocker.ts'
import { heardAt } from '../../fiscal/gateways/gateways.ts'
import type { MachineCounts } from '../../fiscal/machines/machines.ts'
import type { Overview } from '../../fiscal/office/overview.ts'
import type { Language } from '../../fiscal/ports/model.ts'
import { addressOf } from '../addresses.ts'
import { machinesIn, WITHOUT_PAPER } from '../devices/addresses.ts'
import type { Formats } from '../formats.ts'
import { failedTexts } from '../invoices/failed-texts.ts'
import { blockerText } from './blocker-texts.ts'
import type { OverviewTexts } from './texts.ts'

export interface Task {
  kind: 'bad' | 'warn'
  what: string
  todo: string
  /** Where to do it; null when it is not done on these pages. */
  href: string | null
  /** All invoices that failed with this code can be sent again from here. */
  sendAgain?: FiscalErrorCode
}

/** The overview shows at most this many tasks of a kind; the list of the kind has the others. */
const MOST_OF_A_KIND = 10
const SOON_DAYS = 30
const URGENT_DAYS = 7

interface Deps {
  t: OverviewTexts
  f: Formats
  language: Language
}

/** The tasks of the office, the most urgent first. */
export function tasksOf(
  overview: Overview,
  machines: MachineCounts,
  alerts: Record<Severity, number>,
  deps: Deps,
): Task[] {
  const all = [
    ...ownProblems(overview, machines).map((blocker) => ({
      kind: 'bad' as const,
      ...blockerText(blocker, deps.language),
    })),
    ...ofSales(overview, deps),
    ...ofGateways(overview, deps),
    ...ofMachines(overview, machines, deps),
    ...ofCertificates(overview, deps),
    ...ofPrinters(overview, deps),
    ...ofMachine(overview, deps),
    ...ofAlerts(alerts, deps),
  ]
  return [...all.filter(({ kind }) => kind === 'bad'), ...all.filter(({ kind }) => kind === 'warn')]
}

/** On a server its own machines are counted with those of the gateways, and a server without any is in order. */
function ownProblems({ own, gateways }: Overview, { total }: MachineCounts): Blocker[] {
  if (gateways === null || total === 0) return own.problems
  return own.problems.filter(({ cause }) => !COUNTED.includes(cause))
}

const COUNTED: readonly BlockerCause[] = ['no_device', 'isu_missing', 'isu_mismatch', 'device_suspended']

/** One task for one cause, with the machines that it is about. */
function ofMachines(
  { gateways }: Overview,
  { stopped, isu, paperOut }: MachineCounts,
  { t: { tasks }, f }: Deps,
): Task[] {
  const task = (n: number, kind: Task['kind'], say: typeof tasks.stopped, todo: string, href: string): Task[] =>
    n === 0 ? [] : [{ kind, what: say(n, f.count(n)), todo, href }]
  if (gateways === null) return []
  return [
    ...task(stopped, 'bad', tasks.stopped, tasks.stoppedDo, machinesIn('stopped')),
    ...task(isu, 'warn', tasks.withoutIsu, tasks.withoutIsuDo, machinesIn('isu')),
    ...task(paperOut, 'warn', tasks.paperOut, tasks.paperDo, WITHOUT_PAPER),
  ]
}

function ofSales(overview: Overview, deps: Deps): Task[] {
  const { sales, parked, mode } = overview
  const { f } = deps
  const { tasks } = deps.t
  const list = (status: string) => `/dashboard/invoices?mode=${mode}&status=${status}`
  const waiting = (['day_28', 'day_25', 'day_21', 'older'] as const).map((age) => ({
    n: sales.ages[age],
    kind: age === 'day_28' ? ('bad' as const) : ('warn' as const),
    say: tasks[age],
    todo: tasks.waitingDo,
    href: `/dashboard/invoices?mode=${mode}&age=${age}&order=oldest`,
  }))
  const found = [
    { n: sales.expired, kind: 'bad' as const, say: tasks.expired, todo: tasks.expiredDo, href: list('expired') },
    ...waiting,
  ]
  const told: Task[] = found
    .filter(({ n }) => n > 0)
    .map(({ n, say, ...task }) => ({ ...task, what: say(n, f.count(n)) }))
  told.push(...ofFailures(overview, deps))
  if (!parked.maySend) return told
  const what = tasks.believedAgain(parked.count, f.count(parked.count))
  const href = '/dashboard/invoices/failed'
  return [{ kind: 'bad', what, todo: tasks.believedAgainDo, href, sendAgain: UNPROVEN_JIR }, ...told]
}

/** Each cause has its invoices, which are sent again from there. */
function ofFailures({ sales, failures, mode }: Overview, { t: { tasks }, f, language }: Deps): Task[] {
  const task = (n: number, what: string, href: string): Task[] =>
    n === 0 ? [] : [{ kind: 'warn', what: `${tasks.failed(n, f.count(n))}${what}`, todo: tasks.failedDo, href }]
  if (failures === null) return task(sales.failed, '', '/dashboard/invoices/failed')
  const { causes } = failedTexts[language]
  const list = { mode, status: 'failed' }
  return failures.slice(0, MOST_OF_A_KIND).flatMap(({ code, count }) => {
    const why = tasks.failedWhy(causes[code ?? 'unknown'].title)
    return task(count, ` ${why}`, addressOf('/dashboard/invoices', { ...list, cause: code ?? undefined }))
  })
}

function ofGateways({ gateways, own }: Overview, { t: { tasks }, f }: Deps): Task[] {
  if (gateways === null) return []
  if (gateways.length === 0 && own.devices.total === 0 && own.problems.length === 0) {
    return [{ kind: 'warn', what: tasks.firstGateway, todo: tasks.firstGatewayDo, href: '/dashboard/gateways/new' }]
  }
  const silent = gateways.filter(({ state }) => state === 'silent').length
  const amiss = gateways.flatMap(({ gateway, state }): Task[] => {
    const href = `/dashboard/gateways/${encodeURIComponent(gateway.name)}`
    if (state === 'silent' && silent === 1) {
      const what = tasks.gatewaySilent(gateway.name, f.ago(heardAt(gateway)))
      return [{ kind: 'bad', what, todo: tasks.gatewaySilentDo, href }]
    }
    if (state === 'duplicated') {
      return [{ kind: 'bad', what: tasks.gatewayDuplicated(gateway.name), todo: tasks.gatewayDuplicatedDo, href }]
    }
    return []
  })
  const what = tasks.gatewaysSilent(silent, f.count(silent))
  const away: Task = { kind: 'bad', what, todo: tasks.gatewaySilentDo, href: '/dashboard/gateways?state=silent' }
  return [...(silent > 1 ? [away] : []), ...amiss.slice(0, MOST_OF_A_KIND)]
}

function ofCertificates({ certificates, own }: Overview, { t: { tasks } }: Deps): Task[] {
  // A company that cannot sell has a task already.
  const told = new Set(own.problems.map(({ companyId }) => companyId))
  return certificates
    .filter(({ company, certificate }) => !told.has(company.id) && (certificate.daysLeft ?? 0) <= SOON_DAYS)
    .slice(0, MOST_OF_A_KIND)
    .map(({ company: { id, name }, certificate: { status, daysLeft } }) => {
      const [todo, href] = [tasks.certificateDo, `/dashboard/companies/${id}`]
      if (daysLeft === null) return { kind: 'bad', what: tasks.certificateGone(name), todo, href }
      if (status === 'expired') return { kind: 'bad', what: tasks.certificateEnded(name), todo, href }
      return { kind: daysLeft <= URGENT_DAYS ? 'bad' : 'warn', what: tasks.certificateEnds(name, daysLeft), todo, href }
    })
}

function ofPrinters({ printers, gateways }: Overview, { t: { tasks } }: Deps): Task[] {
  if (gateways !== null) return []
  const amiss = printers.filter(({ condition: { state, paper } }) => paper === 'out' || isUnwell(state))
  return amiss.slice(0, MOST_OF_A_KIND).map(({ device: { id, label }, condition: { paper } }) => ({
    kind: 'warn',
    href: `/dashboard/devices/${id}`,
    what: paper === 'out' ? tasks.paper(label) : tasks.printer(label),
    todo: paper === 'out' ? tasks.paperDo : tasks.printerDo,
  }))
}

const isUnwell = (state: string) => state === 'offline' || state === 'silent' || state === 'lost'

function ofMachine({ clock, disk }: Overview, { t: { tasks } }: Deps): Task[] {
  const isShort = disk.room === 'no_diagnostics' || disk.room === 'no_archive'
  return [
    ...(clock.trusted ? [] : [{ kind: 'warn' as const, what: tasks.clock, todo: tasks.clockDo, href: null }]),
    ...(isShort ? [{ kind: 'warn' as const, what: tasks.disk, todo: tasks.diskDo, href: null }] : []),
  ]
}

function ofAlerts({ urgent }: Record<Severity, number>, { t: { tasks }, f }: Deps): Task[] {
  if (urgent === 0) return []
  return [{ kind: 'bad', what: tasks.alerts(urgent, f.count(urgent)), todo: tasks.alertsDo, href: '/dashboard/alerts' }]
}
