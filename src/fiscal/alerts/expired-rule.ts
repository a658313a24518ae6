import type { StoreTransaction } from '../ports/store.ts'
import { waitingOf } from '../sales/by-deadline.ts'
import type { Finding, Rule } from './alert-watch.ts'
import { addToGroup, detailOf, emptyGroup, groupOf, type InvoiceGroups, oldestOf, subjectOf } from './invoice-groups.ts'

const KIND = 'invoices_expired'

/**
 * What can never be confirmed any more. Such an alert goes on until somebody says that they know; what expires after
 * that is told anew. They never become fewer, so how many they are says whether there are others.
 */
export function expiredRule(store: Pick<StoreTransaction, 'companies' | 'invoices'>): Rule {
  let read: { count: number; heaps: InvoiceGroups } = { count: 0, heaps: new Map() }
  /** How many people know of, by subject. */
  const known = new Map<string, number>()

  async function heapsNow(): Promise<InvoiceGroups> {
    const { expired: count } = await store.invoices.queue()
    if (count === read.count) return read.heaps
    const heaps: InvoiceGroups = new Map()
    for await (const slice of waitingOf(store, 'expired')) {
      for (const invoice of slice) addToGroup(groupOf(heaps, subjectOf(invoice), emptyGroup), invoice)
    }
    read = { count, heaps }
    return heaps
  }

  return {
    kinds: [KIND],
    async look(_now, open) {
      const found: Finding[] = []
      for (const [subject, heap] of await heapsNow()) {
        const going = open.find((alert) => alert.subject === subject)
        const total = heap.count
        if (!going && (known.get(subject) ?? -1) >= total) continue
        const { tenantId } = oldestOf(heap)
        const said = await detailOf(store, heap)
        const detail = (told: number) => ({ ...said, count: total - told, total, told })
        const ask = async (tx: Pick<StoreTransaction, 'alerts'>) => {
          const told = Number((await tx.alerts.latest(tenantId, KIND, subject))?.detail.total ?? 0)
          known.set(subject, told)
          return told >= total ? null : detail(told)
        }
        found.push({ tenantId, kind: KIND, subject, detail: detail(Number(going?.detail.told ?? 0)), ask })
      }
      return { found }
    },
  }
}
