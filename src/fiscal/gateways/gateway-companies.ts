import { companyIdOf } from '../../domain/company-id.ts'
import { FiskError } from '../../domain/errors.ts'
import { isOib } from '../../domain/oib.ts'
import { audit } from '../access/audit-log.ts'
import { requireAllCompanies } from '../access/company-limit.ts'
import { type Principal, requireScope } from '../access/principal.ts'
import type { GatewayRecord } from '../ports/gateways.ts'
import { findGateway, type GatewayDeps, holdGateway } from './gateways.ts'

/**
 * Sets the companies of its tenant that a gateway may sell for. Its premises of other companies become free, and their
 * rows from this gateway are refused from now on.
 * @param ref its name or id
 * @param companies OIBs, also of companies that are not stored yet; null for all of its tenant
 * @throws FiskError 404 for an unknown gateway, `hr.invalid_oib`
 */
export async function setGatewayCompanies(
  { store, clock }: Pick<GatewayDeps, 'store' | 'clock'>,
  principal: Principal,
  ref: string,
  companies: readonly string[] | null,
): Promise<GatewayRecord> {
  requireScope(principal, 'fleet:write')
  requireAllCompanies(principal)
  requireOibs(companies)
  const found = await findGateway(store, principal, ref)
  return store.transaction(async (tx) => {
    const gateway = await holdGateway(tx, found, 'premises')
    const now = clock.now()
    await tx.gateways.update(gateway.id, { companies })
    if (companies !== null) {
      const kept: string[] = []
      for (const oib of companies) kept.push(await tx.companies.idWithin(gateway.tenantId, companyIdOf(oib)))
      await tx.gateways.claims.release(gateway.id, now, kept)
    }
    await audit(tx, principal, now, 'gateway.companies_set', { id: gateway.id, name: gateway.name, companies })
    return { ...gateway, companies }
  })
}

/** @throws FiskError `hr.invalid_oib` */
function requireOibs(companies: readonly string[] | null): void {
  const wrong = companies?.find((oib) => !isOib(oib))
  if (wrong === undefined) return
  throw new FiskError('hr.invalid_oib', `${wrong} is not an OIB: 11 digits with a correct check digit`, {
    param: 'companies',
  })
}
