import { townOf } from '../../domain/premises/town.ts'
import { type ListedMachine, machineState } from '../../fiscal/machines/machine.ts'
import type { Month } from '../../fiscal/machines/machine-sales.ts'
import { momentCell } from '../../reports/tables/cells.ts'
import { texts as fileTexts } from '../export/lists/texts.ts'
import { sparkOf } from '../lists/cells.ts'
import type { ListColumn } from '../lists/list.ts'
import type { PageContext } from '../page-routes.ts'
import { MACHINES } from './filter.ts'
import { healthOf, paperOf } from './health.ts'
import { healthTexts } from './health-texts.ts'
import { texts } from './texts.ts'

/** What a machine is in the list: one that is well has a dot and no word. */
export const DOTS = { stopped: 'bad', isu: 'bad', suspended: 'off', unknown: 'unknown', sells: 'ok' } as const

export function columnsOf(
  { language, f }: PageContext,
  month: Month,
  days: ReadonlyMap<string, readonly bigint[]>,
): ListColumn<ListedMachine>[] {
  const [t, h, file] = [texts[language], healthTexts[language], fileTexts[language]]
  const { orders } = t
  const health = (machine: ListedMachine) => healthOf(machine, language, f)
  const isKnown = ({ health: { can } }: ListedMachine) => can !== 'unknown'
  const lacksPaper = ({ paper }: ListedMachine) => paper === 'out' || paper === 'low' || paper === 'fault'
  const dotOf = (machine: ListedMachine) => {
    const state = machineState(machine)
    return state === 'sells' && lacksPaper(machine) ? 'warn' : DOTS[state]
  }
  const stateOf = (machine: ListedMachine) => {
    const state = machineState(machine)
    const word = machine.health.can === 'no' ? health(machine).why : state === 'sells' ? null : h.states[state]
    const paper = lacksPaper(machine) ? paperOf(machine, h)?.text : null
    const waiting = machine.waiting > 0 ? t.waitingCount(f.count(machine.waiting)) : null
    const [text = '', ...more] = [word, paper, waiting].filter((one) => typeof one === 'string')
    return { text, ...(DOTS[state] === 'bad' && { tone: 'bad' as const }), more: more.join(', ') }
  }
  return [
    {
      title: t.label,
      cell: ({ device }) => device.label,
      page: (machine) => ({
        text: machine.device.label,
        href: `${MACHINES}/${machine.device.id}`,
        dot: dotOf(machine),
        more: townOf(machine.device.premisesAddress) || machine.device.premisesAddress,
      }),
      place: 'm1 c-name',
      sort: 'name',
      first: 'ascending',
    },
    { title: t.address, cell: ({ device }) => device.premisesAddress },
    { title: t.premisesCode, cell: ({ device }) => device.premisesCode },
    {
      title: orders.health,
      cell: (machine) => health(machine).badge.text,
      page: (machine) => ({ ...stateOf(machine), phone: townOf(machine.device.premisesAddress) }),
      place: 'm2 c-state',
      sort: 'health',
      first: 'ascending',
    },
    { title: file.why, cell: (machine) => health(machine).why },
    { title: t.company, cell: ({ company }) => company.name, place: 'rank2 c-co', sort: 'company', first: 'ascending' },
    { title: t.oib, cell: ({ company }) => company.oib },
    { title: file.mode, cell: ({ company }) => file.modes[company.mode] },
    { title: t.status, cell: ({ device }) => t.statuses[device.status] },
    { title: t.isu, cell: ({ device }) => device.isuNumber },
    { title: file.isuState, cell: ({ device }) => t.isuStates[device.isuStatus] },
    {
      title: orders.last_sale,
      cell: ({ lastSaleAt }) => momentCell(lastSaleAt),
      page: ({ lastSaleAt }) => (lastSaleAt === null ? t.never : f.ago(lastSaleAt)),
      place: 'm4 c-when',
      sort: 'last_sale',
    },
    { title: file.silent, cell: ({ isSilent }) => (isSilent ? file.yes : file.no) },
    {
      title: t.fortnight,
      // What a silent gateway's machine sells today is not known.
      page: (machine) => ({
        spark: sparkOf((days.get(machine.device.id) ?? []).slice(0, isKnown(machine) ? undefined : -1)),
      }),
      place: 'rank3 spark-cell c-spark',
    },
    { title: orders.sales_today, cell: (machine) => (isKnown(machine) ? { count: machine.today.sales } : null) },
    {
      title: orders.revenue_today,
      short: t.today,
      cell: (machine) => (isKnown(machine) ? { money: machine.today.cents } : null),
      page: (machine) => (isKnown(machine) ? { money: machine.today.cents } : '?'),
      place: 'num m3 c-sum',
      sort: 'revenue_today',
    },
    { title: `${orders.sales_month} (${f.month(month)})`, cell: ({ month: { sales } }) => ({ count: sales }) },
    {
      title: `${orders.revenue_month} (${f.month(month)})`,
      short: f.month(month).replace(/^./u, (letter) => letter.toLocaleUpperCase('hr')),
      cell: ({ month: { cents } }) => ({ money: cents }),
      place: 'num c-sum',
      sort: 'revenue_month',
    },
    { title: orders.waiting, cell: ({ waiting }) => ({ count: waiting }) },
    { title: orders.paper, cell: (machine) => paperOf(machine, h)?.text ?? t.noPrinter },
    { title: orders.gateway, cell: ({ gateway }) => gateway ?? t.here },
    { title: orders.version, cell: ({ version }) => version },
    { title: t.tags, cell: ({ tags }) => tags.join(', ') },
    { title: t.contact, cell: ({ contact }) => contact },
    { title: t.note, cell: ({ note }) => note },
    { title: t.id, cell: ({ device }) => device.id },
  ]
}
