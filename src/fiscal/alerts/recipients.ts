import type { Recipient } from '../ports/mail.ts'
import type { Language } from '../ports/model.ts'
import { DEFAULT_TENANT } from '../ports/rows/access.ts'
import type { StoreTransaction } from '../ports/store.ts'

/** The configured recipients of the default tenant's alerts, and their language. */
export interface AlertTo {
  addresses: readonly string[]
  language: Language
}

/** All recipients of a tenant's alerts, each address once; a user's settings override the configured list. */
export async function recipientsOf(
  store: Pick<StoreTransaction, 'users'>,
  tenantId: string,
  alertTo: AlertTo,
): Promise<Recipient[]> {
  const found = new Map<string, Recipient>()
  if (tenantId === DEFAULT_TENANT) {
    for (const listed of alertTo.addresses) {
      const address = listed.toLowerCase()
      // A configured recipient gets all open alerts, also earlier ones.
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
