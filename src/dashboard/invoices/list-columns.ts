import { centsOf } from '../../domain/money.ts'
import type { ListedMachine } from '../../fiscal/machines/machine.ts'
import type { Invoice } from '../../fiscal/ports/model.ts'
import type { ListColumn } from '../lists/list.ts'
import type { PageContext } from '../page-routes.ts'
import { rowOf } from './list-view.ts'
import { texts } from './texts.ts'

/** @param machines by device @param canOrderByAmount whether the list can be ordered so */
export function columnsOf(
  { language, f }: PageContext,
  machines: ReadonlyMap<string, ListedMachine>,
  canOrderByAmount: boolean,
): ListColumn<Invoice>[] {
  const t = texts[language]
  const labels = new Map([...machines].map(([id, { device }]) => [id, device.label]))
  const view = (invoice: Invoice) => rowOf(invoice, labels, t)
  const companyOf = ({ deviceId }: Invoice) => machines.get(deviceId)?.company
  return [
    {
      title: t.number,
      cell: (invoice) => view(invoice).number,
      page: (invoice) => ({ text: view(invoice).number, href: view(invoice).url }),
      place: 'm1 c-no',
    },
    { title: t.time, cell: ({ occurredAt }) => ({ moment: occurredAt }), place: 'c-when', sort: 'time' },
    {
      title: t.place,
      short: t.device,
      cell: (invoice) => view(invoice).device,
      page: (invoice) => {
        const { device, premises, at } = view(invoice)
        return { text: device || premises, more: device && premises, phone: f.time(at) }
      },
      place: 'm2',
    },
    { title: t.premises, cell: ({ document }) => document.premisesCode },
    { title: t.company, cell: (invoice) => companyOf(invoice)?.name ?? null, place: 'rank2 c-co' },
    { title: t.oib, cell: (invoice) => companyOf(invoice)?.oib ?? null },
    { title: t.payment, cell: (invoice) => view(invoice).payment, place: 'rank2 c-pay' },
    {
      title: t.status,
      cell: ({ status }) => t.statuses[status],
      page: (invoice) => {
        const { isRefund, isTest, deadlineAt, badge } = view(invoice)
        return {
          text: badge.text,
          // What waits is not known yet.
          dot: badge.kind === 'ok' || badge.kind === 'bad' ? badge.kind : 'unknown',
          more: deadlineAt === null ? null : t.deadline(f.date(deadlineAt)),
          pills: [isRefund && { kind: 'plain', text: t.refund }, isTest && { kind: 'plain', text: t.testSale }],
          ...(badge.kind === 'bad' && { tone: 'bad' as const }),
        }
      },
      place: 'm4 c-jir',
    },
    {
      title: t.total,
      cell: ({ document }) => ({ money: centsOf(document.total) }),
      place: 'num m3 c-sum',
      sort: canOrderByAmount ? 'amount' : undefined,
    },
    { title: 'JIR', cell: ({ jir }) => jir },
    { title: 'ZKI', cell: ({ document }) => document.zki },
    { title: t.mode, cell: ({ mode }) => t.modes[mode] },
    { title: t.id, cell: ({ id }) => id },
  ]
}
