import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { GatewayRecord, Gateways } from '../../../fiscal/ports/gateways.ts'
import { LOCAL_GATEWAY } from '../../../fiscal/ports/model.ts'
import { type Db, insertNew } from '../../sqlite/connection.ts'
import { UNCONFIRMED } from '../invoices/invoices.ts'
import { columnsOf, countOf, having, run } from '../queries.ts'
import type { Tables } from '../tables.ts'
import { writtenOnce } from '../written-once.ts'
import { byKind } from './enrolment.ts'
import { fleetConflicts } from './fleet-conflicts.ts'
import { noteHeartbeats, parsedHeartbeat } from './heartbeats.ts'
import { premisesClaims } from './premises-claims.ts'

const { toColumns } = columnsOf<GatewayRecord>()({ json: ['heartbeat', 'companies'] })
const { toModel } = columnsOf<GatewayRecord>()({ json: ['companies'] })

const byCredentialHash = writtenOnce((db, hash: string) =>
  db.selectFrom('gateways').selectAll().where('credentialHash', '=', hash),
)

export function gateways(db: Db): Gateways {
  const select = () => db.selectFrom('gateways').selectAll()
  const update = (id: string) => db.updateTable('gateways').where('id', '=', id)
  return {
    insert: (gateway) => insertNew(db.insertInto('gateways').values(toColumns(gateway))),
    get: async (id) => toGateway(await select().where('id', '=', id).executeTakeFirst()),
    byTokenHash: async (hash) => toGateway(await select().where('tokenHash', '=', hash).executeTakeFirst()),
    byCredentialHash: async (hash) => toGateway((await byCredentialHash(db, hash)).rows[0]),
    named: async (tenantId, name) =>
      toGateway(await select().where('tenantId', '=', tenantId).where('name', '=', name).executeTakeFirst()),
    count: () => db.selectFrom('gateways').$call(countOf),
    async list(tenantId) {
      return (await having(select(), { tenantId }).orderBy('name').orderBy('id').execute()).map(toGateway)
    },
    async sellsFor(tenantId) {
      const rows = await db
        .selectFrom('devices')
        .select(['gatewayId', 'companyId'])
        .where('tenantId', '=', tenantId)
        .where('gatewayId', '<>', LOCAL_GATEWAY)
        .union((eb) =>
          eb
            .selectFrom('premisesClaims')
            .innerJoin('gateways', 'gateways.id', 'premisesClaims.gatewayId')
            .select(['premisesClaims.gatewayId', 'premisesClaims.companyId'])
            .where('gateways.tenantId', '=', tenantId),
        )
        .execute()
      const found = new Map<string, string[]>()
      for (const { gatewayId, companyId } of rows) found.set(gatewayId, [...(found.get(gatewayId) ?? []), companyId])
      return found
    },
    async soldFor(id) {
      const rows = await db
        .selectFrom('devices')
        .select('companyId')
        .distinct()
        .where('gatewayId', '=', id)
        .where(({ exists, selectFrom }) =>
          exists(selectFrom('invoices').select('invoices.id').whereRef('invoices.deviceId', '=', 'devices.id')),
        )
        .execute()
      return rows.map(({ companyId }) => companyId)
    },
    update: (id, changes) => update(id).set(toColumns(changes)).$call(run),
    async forgetPositions(id) {
      await update(id).set({ position: 0, heard: 0 }).execute()
      for (const table of VERSIONED) {
        await db.updateTable(table).set({ syncVersion: 0 }).where('gatewayId', '=', id).execute()
      }
    },
    async names(ids) {
      if (ids.length === 0) return new Map()
      const rows = await db.selectFrom('gateways').select(['id', 'name']).where('id', 'in', ids).execute()
      return new Map(rows.map(({ id, name }) => [id, name]))
    },
    hear: (id, at) => update(id).set({ lastSeenAt: at }).$call(run),
    noteHeartbeats: (heartbeats, at) => noteHeartbeats(db, heartbeats, at),
    async strike(id, session) {
      const struck = update(id).set({ strikes: sql<number>`strikes + 1` }).where('sessionBefore', '=', session)
      return (await struck.returning('strikes').executeTakeFirst())?.strikes ?? 0
    },
    withoutJir: (tenantId) =>
      db
        .selectFrom('invoices')
        .where('tenantId', '=', tenantId)
        .where('mode', 'in', ['test', 'live'])
        .where('status', 'in', ['pending', 'retrying', 'failed'])
        .where(UNCONFIRMED)
        .where('gatewayId', '<>', LOCAL_GATEWAY)
        .$call(countByGateway),
    conflicts: (tenantId, narrow) => fleetConflicts(db, tenantId, narrow),
    claims: premisesClaims(db),
    /** Also numbers that others issued; without sequences that have none yet. */
    async numbers(gatewayId) {
      const { rows } =
        await sql<ClaimedNumber>`SELECT issued.company_id, issued.mode, issued.premises_code, issued.year,
          issued.register, issued.highest, numbering_levels.level
        FROM premises_claims AS claim
        JOIN sequences AS issued ON issued.company_id = claim.company_id AND issued.premises_code = claim.premises_code
        JOIN gateways ON gateways.id = claim.gateway_id
        JOIN companies ON companies.id = claim.company_id AND companies.tenant_id = gateways.tenant_id
        LEFT JOIN numbering_levels ON numbering_levels.company_id = issued.company_id
          AND numbering_levels.mode = issued.mode AND numbering_levels.premises_code = issued.premises_code
          AND numbering_levels.year = issued.year
        WHERE claim.gateway_id = ${gatewayId} AND issued.highest <> '0'
        ORDER BY issued.company_id, issued.premises_code, issued.year, issued.mode, issued.register`.execute(db)
      return rows
    },
    refusals: refusals(db),
  }
}

type ClaimedNumber = Awaited<ReturnType<Gateways['numbers']>>[number]

async function countByGateway<T extends 'invoices' | 'refusedRecords'>(query: SelectQueryBuilder<Tables, T, object>) {
  const counted = query.select((eb) => [
    sql.ref<string>('gatewayId').as('gatewayId'),
    eb.fn.countAll<number>().as('count'),
  ])
  const rows = await counted.groupBy(sql.ref('gatewayId')).execute()
  return new Map(rows.map(({ gatewayId, count }) => [gatewayId, count]))
}

/** Tables whose rows store their position in the gateway's outbox. */
const VERSIONED = [
  'companies',
  'certificates',
  'devices',
  'invoices',
  'printJobs',
  'authorityRequests',
  'alerts',
] as const

function refusals(db: Db): Gateways['refusals'] {
  return {
    async put(gatewayId, refused) {
      for (const refusal of refused) {
        const { version, code, message, refusedAt } = refusal
        await db
          .insertInto('refusedRecords')
          .values({ gatewayId, ...refusal })
          .onConflict((conflict) =>
            conflict
              .columns(['gatewayId', 'kind', 'id'])
              .doUpdateSet({ version, code, message, refusedAt })
              .where('refusedRecords.version', '<=', version),
          )
          .execute()
      }
    },
    async remove(gatewayId, keys) {
      const known = await db
        .selectFrom('refusedRecords')
        .select('id')
        .where('gatewayId', '=', gatewayId)
        .limit(1)
        .execute()
      if (known.length === 0) return
      for (const [kind, ids] of byKind(keys)) {
        const told = db.deleteFrom('refusedRecords').where('gatewayId', '=', gatewayId)
        await told.where('kind', '=', kind).where('id', 'in', ids).execute()
      }
    },
    async list(gatewayId, limit) {
      const rows = await db
        .selectFrom('refusedRecords')
        .selectAll()
        .where('gatewayId', '=', gatewayId)
        .orderBy('refusedAt', 'desc')
        .orderBy('kind')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(({ gatewayId: _gateway, ...refusal }) => refusal)
    },
    async ofInvoices(gatewayId, ids) {
      if (ids.length === 0) return []
      const refused = db.selectFrom('refusedRecords').selectAll().where('gatewayId', '=', gatewayId)
      const rows = await refused.where('kind', '=', 'invoice').where('id', 'in', ids).execute()
      return rows.map(({ gatewayId: _gateway, ...refusal }) => refusal)
    },
    counts: () => countByGateway(db.selectFrom('refusedRecords')),
  }
}

/** The parsed heartbeat is shared: a gateway is read far more often than it reports. */
function toGateway<Row extends Selectable<Tables['gateways']> | undefined>(row: Row) {
  return toModel(row && { ...row, heartbeat: parsedHeartbeat(row.id, row.heartbeat) })
}
