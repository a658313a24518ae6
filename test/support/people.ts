import { randomUUID } from 'node:crypto'
import { type Principal, SCOPES } from '../../src/fiscal/access/principal.ts'
import type { User } from '../../src/fiscal/ports/model.ts'
import { DEFAULT_TENANT } from '../../src/store/store.ts'

/** The local operator. */
export const OPERATOR: Principal = {
  ...{ id: 'operator', tenantId: DEFAULT_TENANT, mode: null, scopes: SCOPES, deviceId: null },
  ...{ companyIds: null, isPlatformAdmin: false },
}

/** A stored user with an address, who sees all companies and cannot sign in. */
export function userRow(changes: Partial<User> = {}): User {
  const { name = 'ana' } = changes
  return {
    ...{ id: randomUUID(), tenantId: DEFAULT_TENANT, name, passwordHash: 'x', role: 'viewer', createdAt: 0 },
    ...{ isPlatformAdmin: false, companyIds: null, sealedTotp: null, totpStep: 0 },
    ...{ email: `${name}@example.hr`, language: 'hr', wantsMail: true, mailCompanyIds: null },
    ...changes,
  }
}
