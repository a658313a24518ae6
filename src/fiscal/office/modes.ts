import type { Mode } from '../../domain/sale/sale.ts'
import type { Principal } from '../access/principal.ts'
import { cachingFor } from '../cached-results.ts'
import type { Context } from '../context.ts'

/** The modes that the active companies of the caller are in; cached for up to ten seconds. */
export type ModesOf = (principal: Principal) => Promise<Mode[]>

const LASTS_MS = 10_000

export function createModes({ store, clock }: Context): ModesOf {
  const remembered = cachingFor<Mode[]>(clock, LASTS_MS)
  return ({ tenantId, companyIds }) =>
    remembered(JSON.stringify([tenantId, companyIds]), async () => {
      const found: Mode[] = []
      for (const mode of ['live', 'test'] as const) {
        const first = await store.companies.list({ tenantId, companyIds, mode, status: 'active' }, { limit: 1 })
        if (first.length > 0) found.push(mode)
      }
      return found
    })
}
