import { createHash } from 'node:crypto'
import { invalidRequest } from '../../domain/errors.ts'
import { BRAND_NAME_LENGTH } from '../../domain/text-lengths.ts'
import { LOGO_FILE_BYTES } from '../../domain/upload.ts'
import type { Clock } from '../ports/clock.ts'
import { DEFAULT_TENANT } from '../ports/rows/access.ts'
import type { Branding } from '../ports/rows/branding.ts'
import type { Store } from '../ports/store.ts'
import type { Keep } from '../sales/idempotency.ts'
import { audit } from './audit-log.ts'
import { requireAllCompanies } from './company-limit.ts'
import { type Principal, requireScope } from './principal.ts'

export interface BrandingChange {
  /** Null for none. */
  name: string | null
  /** A PNG file that was looked at already; null for none, undefined for the one that is stored. */
  logo: Buffer | null | undefined
}

export interface BrandingUseCases {
  /** @param tenantId by default of the tenant of this installation, for pages before a sign-in */
  find(tenantId?: string): Promise<Branding>
  /** The PNG file; undefined for an unknown hash. */
  logo(hash: string): Promise<Buffer | undefined>
  /** @throws FiskError `invalid_request` (`name`, `logo`), `insufficient_scope` */
  change(principal: Principal, change: BrandingChange, keep?: Keep<void>): Promise<void>
}

const NONE: Branding = { name: null, logoHash: null }

/** Name and logo of the operator, which pages show beside or instead of the name of the program. */
export function createBranding(deps: {
  store: Pick<Store, 'branding' | 'transaction'>
  clock: Clock
}): BrandingUseCases {
  const { store, clock } = deps
  return {
    find: async (tenantId = DEFAULT_TENANT) => (await store.branding.get(tenantId)) ?? NONE,
    logo: (hash) => store.branding.logo(hash),
    async change(principal, { name, logo }, keep) {
      requireScope(principal, 'certificates:write')
      requireAllCompanies(principal)
      if (name !== null && [...name].length > BRAND_NAME_LENGTH) throw invalidRequest('name', 'the name is too long')
      if (logo && logo.length > LOGO_FILE_BYTES) throw invalidRequest('logo', 'the logo is too large')
      const hash = logo && createHash('sha256').update(logo).digest('hex')
      await store.transaction(async (tx) => {
        await tx.branding.put(
          principal.tenantId,
          name,
          logo && hash ? { bytes: logo, hash } : (logo as null | undefined),
        )
        await audit(tx, principal, clock.now(), 'branding.changed', {
          name,
          logo: logo === null ? 'none' : (hash ?? 'kept'),
        })
        await keep?.(tx, undefined)
      })
    },
  }
}
