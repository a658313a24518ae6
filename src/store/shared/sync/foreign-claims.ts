import type { Db } from '../../sqlite/connection.ts'

/**
 * Removes the claims of other tenants' gateways on these companies: as soon as a company is stored, it belongs to one
 * tenant.
 */
export async function dropForeignClaims(db: Db, companyIds: readonly string[]): Promise<void> {
  if (companyIds.length === 0) return
  await db
    .deleteFrom('premisesClaims')
    .where('companyId', 'in', companyIds)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('companies')
            .innerJoin('gateways', 'gateways.tenantId', 'companies.tenantId')
            .select('companies.id')
            .whereRef('companies.id', '=', 'premisesClaims.companyId')
            .whereRef('gateways.id', '=', 'premisesClaims.gatewayId'),
        ),
      ),
    )
    .execute()
}
