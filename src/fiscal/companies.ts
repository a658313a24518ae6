import { companyIdOf } from '../domain/company-id.ts'
import { conflict, FiskError } from '../domain/errors.ts'
import { isOib } from '../domain/oib.ts'
import type { Company } from './model.ts'
import type { Clock } from './ports.ts'
import { type Principal, requireMode, requireScope } from './principal.ts'
import { Duplicate, type Store } from './store-port.ts'

export type NewCompany = Pick<Company, 'name' | 'oib' | 'vatRegistered' | 'address' | 'fiscalConfig' | 'mode'>

/**
 * Makes a company, the fiscal identity that sales are reported for.
 * @throws FiskError `hr.invalid_oib`, 409 when a company with this OIB exists, `mode_mismatch`, `insufficient_scope`
 */
export async function addCompany(
  { store, clock }: { store: Store; clock: Clock },
  principal: Principal,
  company: NewCompany,
): Promise<Company> {
  requireScope(principal, 'fleet:write')
  requireMode(principal, company.mode, 'mode')
  if (!isOib(company.oib)) {
    throw new FiskError('hr.invalid_oib', 'oib must be 11 digits with a correct check digit', { param: 'oib' })
  }
  const stored: Company = {
    ...company,
    id: companyIdOf(company.oib),
    tenantId: principal.tenantId,
    status: 'active',
    createdAt: clock.now(),
  }
  try {
    await store.companies.insert(stored)
  } catch (error) {
    if (!(error instanceof Duplicate)) throw error
    throw conflict('oib', `a company with the OIB ${company.oib} exists already`)
  }
  return stored
}
