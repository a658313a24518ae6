import type { ListedMachine } from '../../../fiscal/machines/machine.ts'
import { monthOf } from '../../../fiscal/machines/machine-sales.ts'
import type { Cell, Table } from '../../../reports/tables/cells.ts'
import { readMonth } from '../../devices/addresses.ts'
import { readFilter } from '../../devices/filter.ts'
import { healthOf, paperOf } from '../../devices/health.ts'
import { healthTexts } from '../../devices/health-texts.ts'
import { texts as deviceTexts } from '../../devices/texts.ts'
import { createFormats } from '../../formats.ts'
import type { DashboardDeps, PageContext } from '../../page-routes.ts'
import { rowsOfAll } from './in-slices.ts'
import { texts } from './texts.ts'

/** The machines that fit the filter of their list, by name. */
export async function deviceTable(
  { office, now }: Pick<DashboardDeps, 'office' | 'now'>,
  { principal, query, language }: PageContext,
): Promise<Table> {
  const [t, d] = [texts[language], deviceTexts[language]]
  const f = createFormats(now)(language)
  const month = readMonth(query.month) ?? monthOf(now())
  const machines = await office.machines.matching(principal, readFilter(query), month)
  const { orders } = d
  const columns = [
    ...[d.label, d.address, d.premisesCode, d.company, t.oib, t.mode, d.status, d.isu, t.isuState],
    ...[d.health, t.why, d.lastSale, t.silent, orders.sales_today, orders.revenue_today],
    ...[`${orders.sales_month} (${f.month(month)})`, `${orders.revenue_month} (${f.month(month)})`],
    ...[orders.waiting, orders.paper, d.gatewayColumn, orders.version, d.tags, d.id],
  ]
  const rowOf = (machine: ListedMachine): Cell[] => {
    const { device, company, gateway, tags, lastSaleAt, isSilent, today, month, waiting, version } = machine
    const { badge, why } = healthOf(machine, language, f)
    return [
      ...[device.label, device.premisesAddress, device.premisesCode, company.name, company.oib, t.modes[company.mode]],
      ...[d.statuses[device.status], device.isuNumber, d.isuStates[device.isuStatus], badge.text, why],
      ...[lastSaleAt === null ? null : { moment: lastSaleAt }, isSilent ? t.yes : t.no],
      ...[{ count: today.sales }, { money: today.cents }, { count: month.sales }, { money: month.cents }],
      ...[{ count: waiting }, paperOf(machine, healthTexts[language])?.text ?? d.noPrinter],
      ...[gateway ?? d.here, version, tags.join(', '), device.id],
    ]
  }
  return { title: d.title, columns: columns.map((title) => ({ title, width: 18 })), rows: rowsOfAll(machines, rowOf) }
}
