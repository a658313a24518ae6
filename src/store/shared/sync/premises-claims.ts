import { type SelectQueryBuilder, sql } from 'kysely'
import type { Gateways, Premises } from '../../../fiscal/ports/gateways.ts'
import { isSameSequence, LOCAL_GATEWAY } from '../../../fiscal/ports/model.ts'
import type { Db } from '../../sqlite/connection.ts'
import { insertMany } from '../bulk-statements.ts'
import { numbering } from '../numbering.ts'
import { countOf, locked, matching } from '../queries.ts'
import type { Tables } from '../tables.ts'

export function premisesClaims(db: Db): Gateways['claims'] {
  const gatewaysOf = (tenant: string | Tenant) => db.selectFrom('gateways').select('id').where('tenantId', '=', tenant)
  return {
    ofGateway: (gatewayId) =>
      db
        .selectFrom('premisesClaims')
        .select(['companyId', 'premisesCode'])
        .where('gatewayId', '=', gatewayId)
        .orderBy('companyId')
        .orderBy('premisesCode')
        .execute(),
    count: (gatewayId) => db.selectFrom('premisesClaims').where('gatewayId', '=', gatewayId).$call(countOf),
    async holders(premises, tenantId) {
      if (premises.length === 0) return []
      const claimed = await db
        .selectFrom('premisesClaims')
        .select(['companyId', 'premisesCode', 'gatewayId'])
        .where(amongst(premises))
        .where('gatewayId', 'in', gatewaysOf(tenantId))
        .execute()
      const own = await db
        .selectFrom('devices')
        .select(['companyId', 'premisesCode', 'gatewayId'])
        .distinct()
        .where(amongst(premises))
        .where('gatewayId', '=', LOCAL_GATEWAY)
        .where('status', '<>', 'archived')
        .execute()
      return [...claimed, ...own]
    },
    async add(premises, gatewayId, claimedAt) {
      if (premises.length === 0) return
      const tenant = db.selectFrom('gateways').select('tenantId').where('id', '=', gatewayId)
      await db
        .deleteFrom('premisesClaims')
        .where(amongst(premises))
        .where('gatewayId', 'not in', gatewaysOf(tenant))
        .execute()
      const rows = premises.map(({ companyId, premisesCode }) => ({ companyId, premisesCode, gatewayId, claimedAt }))
      await insertMany(db, 'premisesClaims', rows, 'ON CONFLICT DO NOTHING')
    },
    async release(gatewayId, at, companiesKept = []) {
      for (const { companyId, premisesCode } of await this.ofGateway(gatewayId)) {
        if (companiesKept.includes(companyId)) continue
        await reserveWhatWasUsed(db, { companyId, premisesCode }, at)
        await db.deleteFrom('premisesClaims').where(matching({ companyId, premisesCode })).execute()
      }
    },
  }
}

type Tenant = SelectQueryBuilder<Tables, 'gateways', { tenantId: string }>

function amongst(premises: readonly Premises[]) {
  const pairs = premises.map(({ companyId, premisesCode }) => sql`(${companyId}, ${premisesCode})`)
  return sql<boolean>`(company_id, premises_code) IN (VALUES ${sql.join(pairs)})`
}

/** Reserves the numbers that the gateway gave out, because our own journal does not contain them. */
async function reserveWhatWasUsed(db: Db, premises: Premises, reservedAt: number): Promise<void> {
  const numbers = numbering(db)
  const there = db
    .selectFrom('sequences')
    .selectAll()
    .where(matching({ companyId: premises.companyId, premisesCode: premises.premisesCode }))
    .orderBy(sql`mode, year, register`)
  await numbers.lockPremises(...(await there.execute()))
  // A push of the gateway may be raising them.
  const sequences = await locked(db, there).execute()
  const reserved = await numbers.reserved()
  for (const { highest, ...sequence } of sequences) {
    const { companyId, mode, premisesCode, year, register } = sequence
    const own = await db
      .selectFrom('invoices')
      .select('number')
      .where(matching({ companyId, mode, premisesCode, year, sequenceRegister: register }))
      .where('gatewayId', '=', LOCAL_GATEWAY)
      .orderBy(sql`length(number)`, 'desc')
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst()
    const ranges = reserved.filter((other) => isSameSequence(other, sequence))
    const lasts = [own?.number ?? '0', ...ranges.map(({ last }) => last)].map(BigInt)
    const last = lasts.reduce((most, one) => (one > most ? one : most))
    if (last >= BigInt(highest)) continue
    await numbers.reserve({ ...sequence, first: `${last + 1n}`, last: highest, usedTo: highest, reservedAt })
  }
}

/** Removes the claims of other tenants' gateways on these companies: a stored company belongs to one tenant. */
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
