import { FiskError, notFound } from '../../domain/errors.ts'
import type { Principal } from './principal.ts'

/** The companies a principal is limited to. */
type Limited = Pick<Principal, 'companyIds'>

/** Whether the rows of a company are shown to the principal; a row of no company (null) only without a limit. */
export function reachesCompany({ companyIds }: Limited, companyId: string | null): boolean {
  return companyIds === null || (companyId !== null && companyIds.includes(companyId))
}

/**
 * Refuses the row of another company exactly as one that does not exist, so that nothing is told about it.
 * @param what as in "there is no such device"
 * @throws FiskError 404
 */
export function requireReach(principal: Limited, companyId: string, what: string, param = 'id'): void {
  if (!reachesCompany(principal, companyId)) throw notFound(param, `there is no such ${what}`)
}

/**
 * A row of the principal's tenant and companies; any other one is refused as `requireReach` does.
 * @throws FiskError 404
 */
export function requireTheirs<Row extends { tenantId: string; companyId: string | null }>(
  principal: Pick<Principal, 'tenantId' | 'companyIds'>,
  row: Row | undefined,
  what: string,
  param = 'id',
): Row {
  if (row?.tenantId === principal.tenantId && reachesCompany(principal, row.companyId)) return row
  throw notFound(param, `there is no such ${what}`)
}

/**
 * For what concerns all companies of a tenant: users, keys, the audit log, the set-up of gateways, and new companies.
 * @throws FiskError `insufficient_scope`
 */
export function requireAllCompanies({ companyIds }: Limited): void {
  if (companyIds === null) return
  throw new FiskError('insufficient_scope', 'this account is limited to some companies', { param: 'Cookie' })
}

/** The key of a cached result that depends on the limit. */
export function limitKey({ companyIds }: Limited): string {
  return companyIds === null ? '*' : [...companyIds].sort().join()
}
