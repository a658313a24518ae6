import type { CompanyStatusView, StatusView } from '../../contract/admin/status.ts'
import { UNPROVEN_JIR } from '../../domain/sale/invoice.ts'
import { translate } from '../words/translate.ts'
import { clean, fields, paragraph, shorten } from './columns.ts'
import { fingerprintRows } from './fingerprint.ts'
import { printerWord } from './printer-text.ts'
import { painted, type Screen } from './screen.ts'
import { syncLine } from './sync-text.ts'
import { layoutOf, table } from './table.ts'
import { duration, localTime, withDistance } from './times.ts'

/** What one screen holds; `--json` has everything. */
const MOST_PROBLEMS = 5
const MOST_COMPANIES = 8
const MOST_PRINTERS = 3
const MOST_PROCESSES = 8

/** The state of a gateway on one screen, the answer to "can it sell?" first. */
export function statusText(status: StatusView, screen: Screen): string {
  const parts = [verdict(status, screen), facts(status, screen)]
  if (status.companies.length > 0) parts.push(companies(status.companies, screen))
  return parts.join('\n')
}

function verdict(status: StatusView, screen: Screen): string {
  const { role, can_sell, gateways } = status
  // A server that was just set up: nothing is wrong with it, and something is to be done.
  if (role === 'server' && can_sell && gateways === 0 && status.companies.length === 0) {
    const waits = translate('This server waits for its first gateway.', screen.language)
    const next = 'sudo fisk gateway add NAME, then on the gateway the command that it prints'
    return `${painted(['bold'], waits, screen)}\n${paragraph('  Next: ', next, screen)}`
  }
  const line = status.can_sell
    ? painted(['bold', 'green'], translate(`This ${status.role} can sell.`, screen.language), screen)
    : painted(['bold', 'red'], translate(`This ${status.role} CANNOT sell.`, screen.language), screen)
  const shown = status.problems.slice(0, MOST_PROBLEMS)
  const problems = shown.map(
    (one) => paragraph('  - ', problemText(one, screen)) + paragraph('    Fix: ', one.fix, screen),
  )
  return `${line}\n${problems.join('')}${more(status.problems.length - shown.length, screen)}`
}

/** A problem with what it is about: the name of a machine or company, or a word of ours. */
export function problemText({ subject, problem }: StatusView['problems'][number], { language }: Screen): string {
  const said = translate(problem, language)
  return subject === '' ? said : `${translate(shorten(subject, 60), language)}: ${said}`
}

function facts(status: StatusView, screen: Screen): string {
  const { queue, devices, checked_at: now } = status
  const rows: Row[] = [
    ['Queue', `${queue.pending} pending, ${queue.retrying} retrying, ${queue.failed} failed, ${queue.expired} expired`],
    ['Parked', parkedText(status.parked)],
    ['Oldest', withDistance(queue.oldest_at, now) ?? '-'],
    ['Due by law', withDistance(queue.legal_deadline_at, now) ?? '-'],
    ['Due at CIS', withDistance(queue.next_deadline_at, now) ?? '-'],
    ['Last JIR', withDistance(status.last_jir_at, now) ?? 'none yet'],
    ...cisRows(status.cis, screen),
    ['Clock', clockText(status.clock, screen)],
    ['Disk', diskText(status.disk)],
    ['', slowText(status.disk)],
    ...printerRows(status.printers, screen),
    ...missingRows(status.listen),
    ['Devices', `${devices.able_to_sell} of ${devices.total} can sell, ${devices.without_isu} without an ISU number`],
    ...machineRows(status.machine_change),
    ['Sync', status.sync === null ? 'not set up' : syncLine(status.sync)],
    [
      'Backup',
      status.backup.elsewhere
        ? 'by PostgreSQL'
        : (withDistance(status.backup.last_at, now) ?? 'none yet: fisk backup FILE'),
    ],
    ...caRows(status.ca),
    ['fiskd', `${status.version}, ${status.role}, up ${duration(status.uptime_s)}`],
    ...processRows(status.processes, now),
    ['Checked', localTime(now)],
  ]
  return fields(rows, screen)
}

function processRows(processes: StatusView['processes'], now: string): Row[] {
  if (processes.length === 0) return []
  const versions = [...new Set(processes.map(({ version }) => clean(version)))]
  const upgrade = versions.length > 1 ? `, an upgrade is under way: ${versions.join(' and ')}` : ''
  const rows = processes.slice(0, MOST_PROCESSES).map(({ host, pid, version, started_at, this_one }): Row => {
    const where = `${shorten(host, 30)}, process ${pid}${this_one ? ' (this one)' : ''}`
    return ['', `${where}: ${clean(version)}, since ${withDistance(started_at, now)}`]
  })
  const rest = processes.length - rows.length
  const last: Row[] = rest > 0 ? [['', `and ${rest} more: fisk status --json`]] : []
  return [['Processes', `${processes.length}${upgrade}`], ...rows, ...last]
}

type Row = [name: string, value: string | null]

function cisRows(cis: StatusView['cis'], { language }: Screen): Row[] {
  if (cis === null) return [['CIS', 'not asked yet; being asked now']]
  const reach = cis.reachable ? `reachable in ${cis.latency_ms} ms` : 'NOT reachable; sales go on and are sent later'
  return [
    ['CIS', `${reach} (${cis.mode}), asked ${duration(cis.age_s)} ago`],
    ['', clean(cis.detail?.[language] ?? '') || null],
    ['', cis.reachable ? null : 'why: sudo fisk doctor'],
  ]
}

function parkedText({ count, may_send }: StatusView['parked']): string | null {
  if (count === 0) return null
  if (!may_send) return `${count} got a JIR that cannot be believed: sudo fisk doctor`
  return `${count} can be sent again, for answers are believed again: fisk invoice retry --failed --code ${UNPROVEN_JIR}`
}

function clockText({ trusted, synchronised, detail }: StatusView['clock'], { language }: Screen): string {
  if (!trusted) return clean(`NOT relied on: ${detail?.[language]}. Sales go on.`)
  return synchronised ? 'right, by a time server' : 'right, by the tax authority'
}

const LEFT_OUT = { logs: 'ordinary log lines', messages: 'the archive of messages', sales: 'SALES' }

function diskText({ free_bytes: free, left_out: leftOut }: StatusView['disk']): string {
  if (free === null) return 'nobody can tell how much is free'
  const size = free >= 10e9 ? `${Math.floor(free / 1e9)} GB free` : `${Math.floor(free / 1e6)} MB free`
  if (leftOut.length === 0) return size
  return `${size}: too little; not stored: ${leftOut.map((what) => LEFT_OUT[what]).join(', ')}`
}

/** A sale writes twice. */
const SLOW_MS = 1000

function slowText({ write_ms: ms }: StatusView['disk']): string | null {
  if (ms === null || ms === undefined || ms < SLOW_MS) return null
  return `SLOW: a write takes ${(ms / 1000).toFixed(1)} s, and every sale waits for two: sudo fisk doctor`
}

function printerRows(printers: StatusView['printers'], { language }: Screen): Row[] {
  if (printers.length === 0) return [['Printer', 'none']]
  // A printer that is not well comes first.
  const worstFirst = [...printers].sort((one, other) => Number(one.detail === null) - Number(other.detail === null))
  const rows = worstFirst.slice(0, MOST_PRINTERS).map((printer, index): Row => {
    const paper = printer.paper === 'ok' ? ', paper ok' : ''
    const why = printer.detail === null ? '' : ` (${shorten(printer.detail[language], 60)})`
    return [index === 0 ? 'Printer' : '', `${shorten(printer.device.label, 30)}: ${printerWord(printer)}${paper}${why}`]
  })
  const rest = printers.length - rows.length
  return rest > 0 ? [...rows, ['', `and ${rest} more: fisk printer status`]] : rows
}

function caRows(ca: StatusView['ca']): Row[] {
  return ca === null ? [] : [['CA', clean(ca.file)], ...fingerprintRows('CA SHA-256', ca.sha256)]
}

/** The addresses that are not reached; addresses without a problem are not shown. */
function missingRows(listen: StatusView['listen']): Row[] {
  const missing = listen.filter(({ problem }) => problem !== null)
  return missing.map(({ address, problem }, index): Row => {
    return [index === 0 ? 'Address' : '', `NOT reached at ${clean(address)}: ${clean(problem ?? '')}`]
  })
}

function companies(all: CompanyStatusView[], screen: Screen): string {
  const say = (text: string) => translate(text, screen.language)
  const worstFirst = [...all].sort((a, b) => trouble(b) - trouble(a))
  const shown = worstFirst.slice(0, MOST_COMPANIES)
  const drawn = table(
    layoutOf({ Company: null, OIB: 11, Mode: 7, Status: 12, Certificate: 22 }),
    shown.map(({ name, oib, mode, status, certificate_status: certificate, certificate_days_left: days }) => {
      return [name, oib, say(mode), say(status), say(days === null ? certificate : `${certificate}, ${days} days`)]
    }),
    screen,
  )
  return drawn + more(all.length - shown.length, screen)
}

function trouble(company: CompanyStatusView): number {
  return (company.certificate_status === 'valid' ? 0 : 1) + (company.status === 'active' ? 0 : 1)
}

function more(count: number, { language }: Screen): string {
  return count > 0 ? `  ${translate(`and ${count} more: fisk status --json`, language)}\n` : ''
}

function machineRows(change: StatusView['machine_change']): Row[] {
  if (!change) return []
  return [
    ['Machine', `NOT the one before: it was ${shorten(change.before, 60)}, and is ${shorten(change.now, 60)}`],
    ['', 'a copied card sells the same numbers twice: sudo fisk doctor'],
  ]
}
