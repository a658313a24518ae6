import type { Db } from '../../sqlite/connection.ts'

/**
 * A company belongs to one tenant from the moment on that it is there: what gateways of others have claimed of it before
 * is worth nothing.
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
