import type { AlertView } from '../../fiscal/alerts/alerts.ts'
import { type GatewayState, type GatewaySummary, heardAt } from '../../fiscal/gateways/gateways.ts'
import { type Badge, stateCell } from '../lists/cells.ts'
import type { List } from '../lists/list.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { texts as common } from '../texts.ts'
import { type GatewayTexts, texts } from './texts.ts'

const HERE = '/dashboard/gateways'

export const pathOf = (name: string) => `/dashboard/gateways/${encodeURIComponent(name)}`

const KINDS: Record<GatewayState, Badge['kind']> = {
  awaiting_token: 'warn',
  connected: 'ok',
  silent: 'bad',
  duplicated: 'bad',
  left: 'plain',
  revoked: 'plain',
}

const STATES = Object.keys(KINDS) as GatewayState[]

export const stateBadge = (state: GatewayState, t: GatewayTexts) => ({ kind: KINDS[state], text: t.states[state] })

export function rowOf(summary: GatewaySummary, alerts: readonly AlertView[], t: GatewayTexts) {
  const { gateway, state } = summary
  const { name, heartbeat, enrolledAt } = gateway
  const isHeard = enrolledAt !== null
  return {
    name,
    path: pathOf(name),
    state: stateBadge(state, t),
    /** What it said last, which may be long ago. */
    sells: heartbeat && state === 'connected' ? heartbeat.can_sell : null,
    version: heartbeat?.version ?? null,
    waiting: heartbeat && heartbeat.queue.pending + heartbeat.queue.retrying,
    failed: heartbeat?.queue.failed ?? 0,
    unsent: heartbeat?.outbox.waiting ?? null,
    heardAt: isHeard ? heardAt(gateway) : null,
    alerts: alertsOf(summary, alerts).length,
  }
}

/** The alerts that it has sent, and those about it. */
export function alertsOf({ gateway }: GatewaySummary, alerts: readonly AlertView[]): AlertView[] {
  return alerts.filter(({ gatewayId, subject }) => gatewayId === gateway.id || subject === gateway.id)
}

/** More open alerts than that are not counted one by one. */
const MOST_ALERTS = 500

export const openAlerts = async (
  { alerts }: DashboardDeps['office'],
  { principal }: PageContext,
): Promise<AlertView[]> => (await alerts.list(principal, { state: 'open' }, { limit: MOST_ALERTS })).items

export async function gatewayList(
  { admin, office }: DashboardDeps,
  context: PageContext,
): Promise<List<ReturnType<typeof rowOf>>> {
  const { query, language, f } = context
  const [t, c] = [texts[language], common[language]]
  const all = await admin.gateways.listGateways(context.principal)
  const open = await openAlerts(office, context)
  const isIn = (state: string | undefined) => (one: GatewaySummary) => !state || one.state === state
  const found = all.filter(isIn(query.state))
  const count = (value: number | null) => (value === null ? null : { count: value })
  return {
    title: t.title,
    path: HERE,
    query,
    about: t.about,
    count: found.length,
    none: t.none,
    rows: found.map((one) => rowOf(one, open, t)),
    file: 'gateways',
    every: '15s',
    columns: [
      {
        title: t.name,
        cell: ({ name }) => name,
        page: ({ name, path }) => ({ text: name, href: path, id: `gateway-${name}` }),
        place: 'm1',
      },
      { title: t.state, cell: ({ state }) => state.text, page: ({ state }) => stateCell(state), place: 'm2 c-who' },
      {
        title: t.sells,
        cell: ({ sells }) => (sells === null ? t.notKnown : sells ? c.yes : c.no),
        page: ({ sells }) => (sells === false ? { text: c.no, tone: 'bad' } : { text: sells ? c.yes : t.notKnown }),
        place: 'c-time',
      },
      {
        title: t.queue,
        cell: ({ waiting }) => count(waiting),
        page: ({ waiting, failed }) =>
          waiting !== null && failed > 0 ? t.lacking(f.count(waiting), f.count(failed)) : count(waiting),
        place: 'num m3 c-sum',
      },
      { title: t.unsent, cell: ({ unsent }) => count(unsent), place: 'num rank2 c-sum' },
      {
        title: t.heard,
        cell: ({ heardAt }) => (heardAt === null ? t.never : { moment: heardAt }),
        page: ({ heardAt }) => (heardAt === null ? t.never : f.ago(heardAt)),
        place: 'm4 c-when',
      },
      { title: t.version, cell: ({ version }) => version, place: 'rank3 c-time' },
      { title: t.alerts, cell: ({ alerts }) => ({ count: alerts }), place: 'num rank2 c-pc' },
    ],
    filters: [
      {
        name: 'state',
        title: t.state,
        entries: STATES.map((value: GatewayState) => ({
          value,
          text: t.states[value],
          count: all.filter(isIn(value)).length,
        })),
      },
    ],
    add: context.may('admin') && { href: `${HERE}/new`, text: t.add },
  }
}
