import { type Selectable, sql } from 'kysely'
import type { GatewayRecord, Gateways } from '../../../fiscal/ports/gateways.ts'
import { LOCAL_GATEWAY } from '../../../fiscal/ports/model.ts'
import { type Db, insertNew } from '../../sqlite/connection.ts'
import type { Tables } from '../tables.ts'
import { writtenOnce } from '../written-once.ts'
import { fleetConflicts } from './fleet-conflicts.ts'
import { noteHeartbeats } from './heartbeats.ts'
import { parsedHeartbeat } from './parsed-heartbeats.ts'
import { premisesClaims } from './premises-claims.ts'
import { seenNumbers } from './seen-numbers.ts'

const byCredentialHash = writtenOnce((db, hash: string) =>
  db.selectFrom('gateways').selectAll().where('credentialHash', '=', hash),
)

export function gateways(db: Db): Gateways {
  const select = () => db.selectFrom('gateways').selectAll()
  const one = async (column: 'id' | 'tokenHash', value: string) => {
    const row = await select().where(column, '=', value).executeTakeFirst()
    return row && toGateway(row)
  }
  return {
    insert: ({ heartbeat, companies, ...gateway }) =>
      insertNew(
        db.insertInto('gateways').values({ ...gateway, heartbeat: json(heartbeat), companies: json(companies) }),
      ),
    get: (id) => one('id', id),
    byTokenHash: (hash) => one('tokenHash', hash),
    async byCredentialHash(hash) {
      const [row] = (await byCredentialHash(db, hash)).rows
      return row && toGateway(row)
    },
    async named(tenantId, name) {
      const row = await select().where('tenantId', '=', tenantId).where('name', '=', name).executeTakeFirst()
      return row && toGateway(row)
    },
    async count() {
      const row = await db
        .selectFrom('gateways')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirst()
      return row?.count ?? 0
    },
    async list(tenantId) {
      let query = select().orderBy('name').orderBy('id')
      if (tenantId !== null) query = query.where('tenantId', '=', tenantId)
      return (await query.execute()).map(toGateway)
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
    async update(id, { heartbeat, companies, ...plain }) {
      const row = {
        ...plain,
        ...(heartbeat !== undefined && { heartbeat: json(heartbeat) }),
        ...(companies !== undefined && { companies: json(companies) }),
      }
      await db.updateTable('gateways').set(row).where('id', '=', id).execute()
    },
    async forgetPositions(id) {
      await db.updateTable('gateways').set({ position: 0, heard: 0 }).where('id', '=', id).execute()
      for (const table of VERSIONED) {
        await db.updateTable(table).set({ syncVersion: 0 }).where('gatewayId', '=', id).execute()
      }
    },
    async names(ids) {
      if (ids.length === 0) return new Map()
      const rows = await db.selectFrom('gateways').select(['id', 'name']).where('id', 'in', ids).execute()
      return new Map(rows.map(({ id, name }) => [id, name]))
    },
    async hear(id, at) {
      await db.updateTable('gateways').set({ lastSeenAt: at }).where('id', '=', id).execute()
    },
    noteHeartbeats: (heartbeats, at) => noteHeartbeats(db, heartbeats, at),
    async strike(id, session) {
      const row = await db
        .updateTable('gateways')
        .set({ strikes: sql<number>`strikes + 1` })
        .where('id', '=', id)
        .where('sessionBefore', '=', session)
        .returning('strikes')
        .executeTakeFirst()
      return row?.strikes ?? 0
    },
    async withoutJir(tenantId) {
      const rows = await db
        .selectFrom('invoices')
        .where('tenantId', '=', tenantId)
        .where('mode', 'in', ['test', 'live'])
        .where('status', 'in', ['pending', 'retrying', 'failed'])
        // Written out: a partial index is used only where its very term is seen.
        .where(sql<boolean>`status <> 'confirmed'`)
        .where('gatewayId', '<>', LOCAL_GATEWAY)
        .select((eb) => ['gatewayId', eb.fn.countAll<number>().as('count')])
        .groupBy('gatewayId')
        .execute()
      return new Map(rows.map(({ gatewayId, count }) => [gatewayId, count]))
    },
    conflicts: (tenantId, narrow) => fleetConflicts(db, tenantId, narrow),
    claims: premisesClaims(db),
    numbers: (gatewayId) => seenNumbers(db, gatewayId),
    refusals: refusals(db),
  }
}

/** Tables whose rows store their position in the gateway's outbox. */
const VERSIONED = ['companies', 'certificates', 'devices', 'invoices', 'printJobs', 'alerts'] as const

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
        .select(['kind', 'id'])
        .where('gatewayId', '=', gatewayId)
        .limit(1)
        .execute()
      if (known.length === 0) return
      const ids = new Map<string, string[]>()
      for (const { kind, id } of keys) ids.set(kind, [...(ids.get(kind) ?? []), id])
      for (const [kind, some] of ids) {
        await db
          .deleteFrom('refusedRecords')
          .where('gatewayId', '=', gatewayId)
          .where('kind', '=', kind as never)
          .where('id', 'in', some)
          .execute()
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
    async counts() {
      const rows = await db
        .selectFrom('refusedRecords')
        .select((eb) => ['gatewayId', eb.fn.countAll<number>().as('count')])
        .groupBy('gatewayId')
        .execute()
      return new Map(rows.map(({ gatewayId, count }) => [gatewayId, count]))
    },
  }
}

function toGateway(row: Selectable<Tables['gateways']>): GatewayRecord {
  const { heartbeat, companies } = row
  return {
    ...row,
    heartbeat: parsedHeartbeat(row.id, heartbeat),
    companies: companies === null ? null : JSON.parse(companies),
  }
}

const json = (value: unknown) => (value === null ? null : JSON.stringify(value))
