import type { AlertView } from '../../fiscal/alerts/alerts.ts'
import type { GatewayState, GatewaySummary } from '../../fiscal/gateways/gateways.ts'
import { stateCell } from '../lists/cells.ts'
import type { List } from '../lists/list.ts'
import type { DashboardDeps, PageContext } from '../page-routes.ts'
import { texts as common } from '../texts.ts'
import { rowOf, STATES } from './list-view.ts'
import { texts } from './texts.ts'

const HERE = '/dashboard/gateways'

/** More open alerts than that are not counted one by one. */
const MOST_ALERTS = 500

export const openAlerts = async (
  { alerts }: DashboardDeps['office'],
  { principal }: PageContext,
): Promise<AlertView[]> => (await alerts.list(principal, { state: 'open' }, { limit: MOST_ALERTS })).items

/** The gateways of a central server. */
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
