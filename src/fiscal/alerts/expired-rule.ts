import type { StoreTransaction } from '../ports/store.ts'
import { waitingOf } from '../sales/by-deadline.ts'
import type { Finding, Rule } from './alert-watch.ts'
import { addToGroup, detailOf, emptyGroup, groupOf, type InvoiceGroups, oldestOf, subjectOf } from './invoice-groups.ts'

const KIND = 'invoices_expired'

/**
 * Invoices that can never be confirmed. Such an alert stays until it is acknowledged; invoices that expire later raise
 * a new one. Expired invoices never become fewer, so their count shows whether there are new ones.
 */
export function expiredRule(store: Pick<StoreTransaction, 'companies' | 'invoices'>): Rule {
  let read: { count: number; groups: InvoiceGroups } = { count: 0, groups: new Map() }
  /** How many invoices earlier alerts covered, by subject. */
  const known = new Map<string, number>()

  async function groupsNow(): Promise<InvoiceGroups> {
    const { expired: count } = await store.invoices.queue()
    if (count === read.count) return read.groups
    const groups: InvoiceGroups = new Map()
    for await (const slice of waitingOf(store, 'expired')) {
      for (const invoice of slice) addToGroup(groupOf(groups, subjectOf(invoice), emptyGroup), invoice)
    }
    read = { count, groups }
    return groups
  }

  return {
    kinds: [KIND],
    async look(_now, open) {
      const found: Finding[] = []
      for (const [subject, group] of await groupsNow()) {
        const going = open.find((alert) => alert.subject === subject)
        const total = group.count
        if (!going && (known.get(subject) ?? -1) >= total) continue
        const { tenantId } = oldestOf(group)
        const said = await detailOf(store, group)
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
