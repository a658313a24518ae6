import { reachesCompany } from '../access/principal.ts'
import { isInvited } from '../access/users.ts'
import type { Recipient } from '../ports/mail.ts'
import type { Language, User } from '../ports/model.ts'
import { DEFAULT_TENANT } from '../ports/rows/access.ts'
import type { StoreTransaction } from '../ports/store.ts'

/** The configured recipients of the default tenant's alerts, and their language. */
export interface AlertTo {
  addresses: readonly string[]
  language: Language
}

/**
 * All recipients of a tenant's alerts, each address once; a user's language overrides that of the configured list. A
 * user gets the alerts of the companies that they may see and have chosen. An address that is configured, or that several
 * users share, gets all that any of its owners gets.
 */
export async function recipientsOf(store: StoreTransaction, tenantId: string, alertTo: AlertTo): Promise<Recipient[]> {
  const found = new Map<string, Recipient>()
  if (tenantId === DEFAULT_TENANT) {
    for (const listed of alertTo.addresses) {
      const address = listed.toLowerCase()
      // A configured recipient gets all open alerts, also earlier ones.
      found.set(address, { tenantId, address, language: alertTo.language, companyIds: null, since: 0 })
    }
  }
  for (const user of await store.users.list(tenantId)) {
    const { email, wantsMail, language, createdAt } = user
    const address = email?.toLowerCase()
    // The address of an invitation that nobody has followed yet may be a wrong one.
    if (address === undefined || !wantsMail || isInvited(user)) continue
    const before = found.get(address)
    const since = Math.min(before?.since ?? createdAt, createdAt)
    const companyIds = before ? eitherOf(before.companyIds, wantedBy(user)) : wantedBy(user)
    found.set(address, { tenantId, address, language, companyIds, since })
  }
  return [...found.values()]
}

/** The companies that a user may see and has chosen; null for all alerts, also those about no company. */
function wantedBy({
  companyIds,
  mailCompanyIds,
}: Pick<User, 'companyIds' | 'mailCompanyIds'>): Recipient['companyIds'] {
  if (mailCompanyIds === null) return companyIds
  return mailCompanyIds.filter((id) => reachesCompany({ companyIds }, id))
}

const eitherOf = (one: Recipient['companyIds'], other: Recipient['companyIds']) =>
  one === null || other === null ? null : [...new Set([...one, ...other])]
