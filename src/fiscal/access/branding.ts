import { invalidRequest } from '../../domain/errors.ts'
import { BRAND_NAME_LENGTH } from '../../domain/text-lengths.ts'
import { nameOf } from '../../domain/texts/name.ts'
import type { Context } from '../context.ts'
import { DEFAULT_TENANT } from '../ports/rows/access.ts'
import { type Keep, keeping } from '../sales/idempotency.ts'
import { audit } from './audit-log.ts'
import { type Principal, requireAllCompanies, requireScope } from './principal.ts'

/** The name of the operator, which pages show instead of the name of the program; null for none. */
export function createBranding({ store, clock }: Context) {
  return {
    /** @param tenantId by default of the tenant of this installation, for pages before a sign-in */
    find: (tenantId = DEFAULT_TENANT) => store.branding.get(tenantId),
    /** @throws FiskError `invalid_request` (`name`), `insufficient_scope` */
    async change(principal: Principal, typed: string | null, keep?: Keep<void>): Promise<void> {
      requireScope(principal, 'certificates:write')
      requireAllCompanies(principal)
      const name = typed && nameOf('name', typed)
      if (name !== null && [...name].length > BRAND_NAME_LENGTH) throw invalidRequest('name', 'the name is too long')
      await keeping(store, keep, async (tx) => {
        await tx.branding.put(principal.tenantId, name)
        await audit(tx, principal, clock.now(), 'branding.changed', { name })
      })
    },
  }
}
