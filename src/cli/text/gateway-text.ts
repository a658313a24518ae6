import type { GatewayDetailsView, GatewayView } from '../../contract/admin/gateways.ts'
import { sayReported } from '../../domain/texts/blocker-texts.ts'
import { sayPrinter } from '../../domain/texts/printer-texts.ts'
import { type Language, translate } from '../words/translate.ts'
import { clean, fields, paragraph } from './columns.ts'
import type { Screen } from './screen.ts'
import { layoutOf, table } from './table.ts'
import { duration, localTime, withDistance } from './times.ts'

export function isAmiss({ state }: Pick<GatewayView, 'state'>): boolean {
  return state === 'silent' || state === 'duplicated'
}

const LAYOUT = layoutOf({ Gateway: null, State: 23, Version: 8, Waiting: 7, Queue: 6, Problems: 8 })

/** @param now ISO 8601 */
export function gatewaysText(gateways: readonly GatewayView[], now: string, screen: Screen): string {
  const rows = gateways.map((gateway) => {
    const { name, version, heartbeat } = gateway
    const count = (number: number | undefined) => (number === undefined ? '-' : String(number))
    const queue = heartbeat && heartbeat.queue.pending + heartbeat.queue.retrying + heartbeat.queue.failed
    const problems = (heartbeat?.problems.length ?? 0) + gateway.refused
    const waiting = count(heartbeat?.outbox.waiting)
    const state = translate(stateText(gateway, now), screen.language)
    return [clean(name), state, version ?? '-', waiting, count(queue ?? undefined), String(problems)]
  })
  const amiss = gateways.filter(isAmiss).map(({ name }) => clean(name))
  const advice =
    amiss.length === 0 ? '' : `\n${paragraph('', `Look after: ${amiss.join(', ')} (fisk gateway show)`, screen)}`
  return table(LAYOUT, rows, screen) + advice
}

function stateText({ state, last_seen_at }: GatewayView, now: string): string {
  if (state === 'awaiting_token') return 'waits for token'
  if (state !== 'silent') return state
  return last_seen_at === null ? 'silent' : `silent ${duration((Date.parse(now) - Date.parse(last_seen_at)) / 1000)}`
}

/** @param now ISO 8601 */
export function gatewayText(gateway: GatewayDetailsView, now: string, screen: Screen): string {
  const { heartbeat } = gateway
  const about = fields([
    ['gateway', clean(gateway.name)],
    ['id', gateway.id],
    ['state', ADVICE[gateway.state] ?? gateway.state],
    ['version', gateway.version],
    ['enrolled', localTime(gateway.enrolled_at)],
    ['last seen', withDistance(gateway.last_seen_at, now)],
    ['token until', gateway.enrolled_at === null ? localTime(gateway.token_expires_at) : null],
    ['premises', gateway.premises.map(({ premises_code }) => premises_code).join(', ') || null],
    ['sells for', gateway.companies?.join(', ') ?? null],
    ...(heartbeat ? heartbeatRows(heartbeat, screen.language) : []),
    ['refused', gateway.refused === 0 ? null : `${gateway.refused} ${gateway.refused === 1 ? 'record' : 'records'}`],
  ])
  return about + problemsText(gateway, screen) + refusalsText(gateway) + conflictsText(gateway)
}

const ADVICE: Partial<Record<GatewayView['state'], string>> = {
  awaiting_token: 'waits for its token: run fisk sync enroll on its machine',
  duplicated: 'two machines use its identity: switch one off, then fisk gateway add NAME --again for the other',
  left: 'has left; fisk gateway add NAME --again takes it back',
}

function heartbeatRows(
  heartbeat: NonNullable<GatewayView['heartbeat']>,
  language: Language,
): [string, string | null][] {
  const { queue, outbox, clock, disk, printers } = heartbeat
  const unwell = printers.filter(({ state }) => state !== 'ready' && state !== 'unknown')
  return [
    ['sells', heartbeat.can_sell ? 'yes' : 'no'],
    ['queue', `${queue.pending + queue.retrying} to send, ${queue.failed} failed, ${queue.expired} expired`],
    ['waiting', `${outbox.waiting} changes to tell, ${outbox.refused} of them set aside`],
    ['clock', clock.trusted ? 'trusted' : `not trusted (${clean(clock.status)})`],
    ['disk', disk.free_bytes === null ? null : `${Math.round(disk.free_bytes / 1e6)} MB free`],
    [
      'printers',
      unwell.length === 0 ? null : unwell.map((one) => clean(sayPrinter(one, language) ?? one.state)).join('; '),
    ],
    ['last JIR', localTime(heartbeat.last_jir_at)],
  ]
}

function problemsText({ heartbeat }: GatewayDetailsView, { language }: Screen): string {
  const said = (heartbeat?.problems ?? []).map((problem) => {
    const { what, todo } = sayReported(problem, language)
    return paragraph('  - ', todo === null ? what : `${what} ${todo}`)
  })
  return said.length === 0 ? '' : `\nIt says:\n${said.join('')}`
}

function refusalsText({ refusals, refused }: GatewayDetailsView): string {
  if (refused === 0) return ''
  const lines = refusals.map(({ kind, id, code, message }) => paragraph('  - ', `${kind} ${id}: ${message} (${code})`))
  const isAcceptable = refusals.some(({ code }) => code === OUT_OF_REACH)
  // What this server has failed at only its gateway knows.
  const rest =
    refused > refusals.length ? paragraph('  - ', `${refused - refusals.length} more: fisk sync status there`) : ''
  return `\nRefused:\n${lines.join('')}${rest}${isAcceptable ? ACCEPTABLE : ''}`
}

/** A code of the server's. */
const OUT_OF_REACH = 'out_of_reach'
const ACCEPTABLE = paragraph('', 'To store one whose number is out of reach: fisk gateway accept NAME INVOICE')

function conflictsText({ conflicts }: GatewayDetailsView): string {
  if (conflicts.length === 0) return ''
  const lines = conflicts.map(({ what, value, devices }) => {
    const machines = devices.map(({ label, premises_code }) => `${label} at premises ${premises_code}`)
    return paragraph('  - ', `${what === 'label' ? 'label' : 'ISU number'} ${value}: ${machines.join(', ')}`)
  })
  return `\nTwice in the fleet:\n${lines.join('')}`
}
