import type { Severity } from '../../domain/alert.ts'
import { townOf } from '../../domain/premises/town.ts'
import { type FiscalErrorCode, UNPROVEN_JIR } from '../../domain/sale/invoice.ts'
import { type BlockerCause, blockerWords } from '../../domain/texts/blocker-texts.ts'
import type { Blocker } from '../../fiscal/doctor/blockers/blocker.ts'
import { heardAt } from '../../fiscal/gateways/gateways.ts'
import { type Machine, machineState } from '../../fiscal/machines/machine.ts'
import type { Overview } from '../../fiscal/office/overview.ts'
import { addressOf } from '../addresses.ts'
import { machinesIn, WITHOUT_PAPER } from '../devices/filter.ts'
import { failedTexts } from '../invoices/failed-texts.ts'
import type { PageContext } from '../page-routes.ts'
import type { OverviewTexts } from './texts.ts'

export interface Task {
  kind: 'bad' | 'warn'
  what: string
  /** What else is known of it, or what to do about it. */
  note: string
  /** Of how many things, all of which its list has; null for one thing. */
  count: number | null
  /** Where to do it; null when it is not done on these pages. */
  href: string | null
  /** All invoices that failed with this code can be sent again from here. */
  sendAgain?: FiscalErrorCode
}

/** The overview shows at most this many tasks of a kind; the list of the kind has the others. */
const MOST_OF_A_KIND = 10
const SOON_DAYS = 30
const URGENT_DAYS = 7

type Deps = Pick<PageContext, 'f' | 'language'> & { t: OverviewTexts }

/** The most urgent first. */
export function tasksOf(
  overview: Overview,
  machines: readonly Machine[],
  alerts: Record<Severity, number>,
  deps: Deps,
): Task[] {
  const { alerts: what, alertsNote: note } = deps.t.tasks
  const urgent: Task = { kind: 'bad', what, note, count: null, href: '/dashboard/alerts' }
  const all = [
    ...ownProblems(overview, machines).map((blocker) => {
      const [what, note] = blockerWords(blocker.cause, blocker, deps.language)
      return { kind: 'bad' as const, what, note, count: null, href: pageOf(blocker) }
    }),
    ...ofSales(overview, deps),
    ...ofGateways(overview, machines, deps),
    ...ofMachines(overview, machines, deps),
    ...ofCertificates(overview, deps),
    ...ofPrinters(overview, deps),
    ...ofMachine(overview, deps),
    ...(alerts.urgent > 0 ? [urgent] : []),
  ]
  return [...all.filter(({ kind }) => kind === 'bad'), ...all.filter(({ kind }) => kind === 'warn')]
}

/** On a server its own machines are counted with those of the gateways, and a server without any is in order. */
function ownProblems({ own, gateways }: Overview, machines: readonly Machine[]): Blocker[] {
  if (gateways === null || machines.length === 0) return own.problems
  return own.problems.filter(({ cause }) => !COUNTED.includes(cause))
}

const COUNTED: readonly BlockerCause[] = ['no_device', 'isu_missing', 'isu_mismatch', 'device_suspended']

/** The page on which the office can remove a blocker; null for what only a technician can do at the machine. */
function pageOf({ cause, companyId, deviceId }: Blocker): string | null {
  if (deviceId !== undefined) return `/dashboard/devices/${deviceId}`
  if (companyId !== undefined) return `/dashboard/companies/${companyId}`
  if (cause === 'no_company') return '/dashboard/companies'
  if (cause === 'isu_missing') return '/dashboard/devices?isu=pending'
  if (cause === 'isu_mismatch') return '/dashboard/devices?isu=mismatch'
  return cause === 'no_device' || cause === 'device_suspended' ? '/dashboard/devices' : null
}

const MOST_TOWNS = 4

/** One task for one cause, with where its machines are or since when. */
function ofMachines({ gateways }: Overview, machines: readonly Machine[], { t: { tasks }, f }: Deps): Task[] {
  if (gateways === null) return []
  const inState = (state: 'stopped' | 'isu') => machines.filter((machine) => machineState(machine) === state)
  const task = (found: readonly Machine[], kind: Task['kind'], what: string, note: string, href: string): Task[] =>
    found.length === 0 ? [] : [{ kind, what, note, count: found.length, href }]
  const [stopped, isu] = [inState('stopped'), inState('isu')]
  const paper = machines.filter((machine) => machine.paper === 'out')
  const last = stopped.flatMap(({ lastSaleAt }) => lastSaleAt ?? [])
  const since = last.length > 0 ? tasks.stoppedNote(f.date(Math.min(...last))) : ''
  return [
    ...task(stopped, 'bad', tasks.stopped, since, machinesIn('stopped')),
    ...task(isu, 'warn', tasks.isu, townsOf(isu), machinesIn('isu')),
    ...task(paper, 'warn', tasks.paperOut, townsOf(paper), WITHOUT_PAPER),
  ]
}

const townsOf = (machines: readonly Machine[]) => {
  const towns = [...new Set(machines.map(({ device }) => townOf(device.premisesAddress)))].filter((town) => town !== '')
  return `${towns.slice(0, MOST_TOWNS).join(', ')}${towns.length > MOST_TOWNS ? ' …' : ''}`
}

function ofSales(overview: Overview, deps: Deps): Task[] {
  const { sales, parked, mode } = overview
  const { tasks } = deps.t
  const list = (status: string) => `/dashboard/invoices?mode=${mode}&status=${status}`
  const waiting = (['day_28', 'day_25', 'day_21', 'older'] as const).map((age) => ({
    kind: age === 'day_28' ? ('bad' as const) : ('warn' as const),
    what: tasks[age],
    note: age === 'day_28' ? tasks.day_28Note : tasks.waitingNote,
    count: sales.ages[age],
    href: `/dashboard/invoices?mode=${mode}&age=${age}&order=oldest`,
  }))
  const expired = { what: tasks.expired, note: tasks.expiredNote, count: sales.expired, href: list('expired') }
  const told: Task[] = [{ kind: 'bad' as const, ...expired }, ...waiting].filter(({ count }) => count > 0)
  told.push(...ofFailures(overview, deps))
  if (!parked.maySend) return told
  const [what, note, href] = [tasks.believedAgain, tasks.believedAgainNote, '/dashboard/invoices/failed']
  return [{ kind: 'bad', what, note, count: parked.count, href, sendAgain: UNPROVEN_JIR }, ...told]
}

/** Each cause has its invoices, which are sent again from there. */
function ofFailures({ sales, failures, mode }: Overview, { t: { tasks }, language }: Deps): Task[] {
  const task = (count: number, note: string, href: string): Task[] =>
    count === 0 ? [] : [{ kind: 'warn', what: tasks.failed, note, count, href }]
  if (failures === null) return task(sales.failed, tasks.failedNote, '/dashboard/invoices/failed')
  const { causes } = failedTexts[language]
  const list = { mode, status: 'failed' }
  return failures.slice(0, MOST_OF_A_KIND).flatMap(({ code, count }) => {
    const { what } = causes[code ?? 'unknown']
    return task(count, what, addressOf('/dashboard/invoices', { ...list, cause: code ?? undefined }))
  })
}

function ofGateways({ gateways, own }: Overview, machines: readonly Machine[], { t: { tasks }, f }: Deps): Task[] {
  if (gateways === null) return []
  if (gateways.length === 0 && own.devices.total === 0 && own.problems.length === 0) {
    const [what, note] = [tasks.firstGateway, tasks.firstGatewayNote]
    return [{ kind: 'warn', what, note, count: null, href: '/dashboard/gateways/new' }]
  }
  const silent = gateways.filter(({ state }) => state === 'silent').map(({ gateway }) => gateway)
  const doubled = gateways.filter(({ state }) => state === 'duplicated').slice(0, MOST_OF_A_KIND)
  const tasksOfSilent = silent.slice(0, 1).map((): Task => {
    const names = new Set(silent.map(({ name }) => name))
    const theirs = machines.filter(
      (machine) => machineState(machine) === 'unknown' && machine.gateway !== null && names.has(machine.gateway),
    ).length
    const since = f.date(Math.min(...silent.map(heardAt)))
    const note = tasks.gatewaysSilentNote(theirs, f.count(theirs), since)
    const [what, href] = [tasks.gatewaysSilent, '/dashboard/gateways?state=silent']
    return { kind: 'bad', what, note, count: silent.length, href }
  })
  return [
    ...tasksOfSilent,
    ...doubled.map(({ gateway: { name } }): Task => {
      const [what, note] = [tasks.gatewayDuplicated(name), tasks.gatewayDuplicatedNote]
      return { kind: 'bad', what, note, count: null, href: `/dashboard/gateways/${encodeURIComponent(name)}` }
    }),
  ]
}

function ofCertificates({ certificates, own }: Overview, { t: { tasks } }: Deps): Task[] {
  // A company that cannot sell has a task already.
  const told = new Set(own.problems.map(({ companyId }) => companyId))
  return certificates
    .filter(({ company, certificate }) => !told.has(company.id) && (certificate.daysLeft ?? 0) <= SOON_DAYS)
    .slice(0, MOST_OF_A_KIND)
    .map(({ company: { id, name }, certificate: { status, daysLeft } }) => {
      const rest = { note: tasks.certificateNote, count: null, href: `/dashboard/companies/${id}` }
      if (daysLeft === null) return { kind: 'bad', what: tasks.certificateGone(name), ...rest }
      if (status === 'expired') return { kind: 'bad', what: tasks.certificateEnded(name), ...rest }
      const kind = daysLeft <= URGENT_DAYS ? 'bad' : 'warn'
      return { kind, what: tasks.certificateEnds(name, daysLeft), ...rest }
    })
}

function ofPrinters({ printers, gateways }: Overview, { t: { tasks } }: Deps): Task[] {
  if (gateways !== null) return []
  const amiss = printers.filter(({ condition: { state, paper } }) => paper === 'out' || UNWELL.includes(state))
  return amiss.slice(0, MOST_OF_A_KIND).map(({ device: { id, label }, condition: { paper } }) => ({
    kind: 'warn',
    what: paper === 'out' ? tasks.paper(label) : tasks.printer(label),
    note: paper === 'out' ? tasks.paperNote : tasks.printerNote,
    count: null,
    href: `/dashboard/devices/${id}`,
  }))
}

const UNWELL: readonly string[] = ['offline', 'silent', 'lost']

function ofMachine({ clock, disk }: Overview, { t: { tasks } }: Deps): Task[] {
  const task = (what: string, note: string): Task => ({ kind: 'warn', what, note, count: null, href: null })
  const isShort = disk.room === 'no_diagnostics' || disk.room === 'no_archive'
  return [
    ...(clock.trusted ? [] : [task(tasks.clock, tasks.clockNote)]),
    ...(isShort ? [task(tasks.disk, tasks.diskNote)] : []),
  ]
}
