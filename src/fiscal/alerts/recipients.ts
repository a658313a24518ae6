import type { Recipient } from '../ports/mail.ts'
import type { Language } from '../ports/model.ts'
import { DEFAULT_TENANT } from '../ports/rows/access.ts'
import type { StoreTransaction } from '../ports/store.ts'

/** Addresses that are told of the alerts of the default tenant, and in which language. */
export interface AlertTo {
  addresses: readonly string[]
  language: Language
}

/** Everybody who is told of a tenant's alerts, each address once: what a user has set counts more than the list. */
export async function recipientsOf(
  store: Pick<StoreTransaction, 'users'>,
  tenantId: string,
  alertTo: AlertTo,
): Promise<Recipient[]> {
  const found = new Map<string, Recipient>()
  if (tenantId === DEFAULT_TENANT) {
    for (const listed of alertTo.addresses) {
      const address = listed.toLowerCase()
      // Whoever is put on the list wants to know all that stands.
      found.set(address, { tenantId, address, language: alertTo.language, since: 0 })
    }
  }
  for (const { email, wantsMail, language, createdAt } of await store.users.list(tenantId)) {
    const address = email?.toLowerCase()
    if (address === undefined || !wantsMail) continue
    const since = Math.min(found.get(address)?.since ?? createdAt, createdAt)
    found.set(address, { tenantId, address, language, since })
  }
  return [...found.values()]
}
