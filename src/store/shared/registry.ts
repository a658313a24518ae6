import { type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import { companyIdWithin } from '../../domain/company-id.ts'
import { spellingsOf } from '../../domain/texts/name.ts'
import { type Certificate, type Company, type Device, LOCAL_GATEWAY } from '../../fiscal/ports/model.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import { type Db, insertNew, refusingDuplicates } from '../sqlite/connection.ts'
import { change, columnsOf, having, matching, ofCompanies, run, sliceBy } from './queries.ts'
import { dropForeignClaims } from './sync/premises-claims.ts'
import type { Tables } from './tables.ts'
import { writtenOnce, writtenOncePerColumns } from './written-once.ts'

/** Without a hash of a logo, the column is left to the database. */
export const { toColumns: companyRow, toModel: toCompany } = columnsOf<Company>()({
  json: ['address', 'fiscalConfig'],
  flags: ['vatRegistered'],
})

export const companyById = writtenOnce((db, id: string) => db.selectFrom('companies').selectAll().where('id', '=', id))

export function companies(db: Db): StoreTransaction['companies'] {
  const select = () => db.selectFrom('companies').selectAll()
  return {
    async insert(company) {
      await insertNew(db.insertInto('companies').values(companyRow(company)))
      await dropForeignClaims(db, [company.id])
    },
    get: async (id) => toCompany((await companyById(db, id)).rows[0]),
    byOib: async (tenantId, oib) => toCompany(await select().where(matching({ tenantId, oib })).executeTakeFirst()),
    async idWithin(tenantId, companyId) {
      const found = (await companyById(db, companyId)).rows[0]
      return found === undefined || found.tenantId === tenantId ? companyId : companyIdWithin(tenantId, companyId)
    },
    async isOursElsewhere(tenantId, oib) {
      const others = select()
        .where('oib', '=', oib)
        .where('tenantId', '<>', tenantId)
        .where('gatewayId', '=', LOCAL_GATEWAY)
      return (await others.where('status', '<>', 'archived').limit(1).executeTakeFirst()) !== undefined
    },
    async list({ tenantId, mode, companyIds, id, status }, slice) {
      const query = having(sliceBy(select(), 'createdAt', 'asc', slice), { tenantId, mode, id, status })
      return (await query.where(ofCompanies('id', companyIds)).execute()).map(toCompany)
    },
    async update(id, changes) {
      if (Object.keys(changes).length === 0) return
      await db.updateTable('companies').set(companyRow(changes)).where('id', '=', id).execute()
    },
    async ours() {
      const own = select().where('gatewayId', '=', LOCAL_GATEWAY).orderBy('createdAt').orderBy('id')
      return (await own.execute()).map(toCompany)
    },
    async activeModes() {
      const own = db.selectFrom('companies').select('mode').distinct().orderBy('mode', 'desc')
      const active = own.where('gatewayId', '=', LOCAL_GATEWAY).where('status', '=', 'active')
      return (await active.execute()).map(({ mode }) => mode)
    },
    all: async () => (await select().orderBy('createdAt').orderBy('id').execute()).map(toCompany),
  }
}

const currentOf = (db: Db, companyId: string) =>
  db
    .selectFrom('certificates')
    .where(matching({ companyId, gatewayId: LOCAL_GATEWAY, supersededAt: null, revokedAt: null }))

const inUse = writtenOnce((db, companyId: string) => currentOf(db, companyId).selectAll())
const idInUse = writtenOnce((db, companyId: string) => currentOf(db, companyId).select('id'))

/** Devices of the company, except those of gateways that are gone. */
const SELLING = sql`SELECT 1 FROM devices WHERE devices.company_id = certificates.company_id AND status <> 'archived'
  AND NOT EXISTS (SELECT 1 FROM gateways WHERE gateways.id = devices.gateway_id
    AND (gateways.revoked_at IS NOT NULL OR gateways.credential_hash IS NULL))`

export function certificates(db: Db): StoreTransaction['certificates'] {
  const select = () => db.selectFrom('certificates').selectAll()
  return {
    insert: (certificate) => db.insertInto('certificates').values(certificateRow(certificate)).$call(run),
    get: async (id) => toCertificate(await select().where('id', '=', id).executeTakeFirst()),
    async ownerOf(id) {
      const row = await db.selectFrom('certificates').select('gatewayId').where('id', '=', id).executeTakeFirst()
      return row?.gatewayId ?? LOCAL_GATEWAY
    },
    inUse: (companyIds) =>
      db
        .selectFrom('certificates')
        .leftJoin('gateways', 'gateways.id', 'certificates.gatewayId')
        .select(['companyId', 'gatewayId', 'serial', 'notAfter'])
        .where(ofCompanies('companyId', companyIds))
        .where('supersededAt', 'is', null)
        .where('certificates.revokedAt', 'is', null)
        .where('gateways.revokedAt', 'is', null)
        .where((eb) => eb.or([eb('gatewayId', '=', LOCAL_GATEWAY), eb('credentialHash', 'is not', null)]))
        .where(
          sql<SqlBool>`(NOT EXISTS (${SELLING}) OR EXISTS (${SELLING} AND devices.gateway_id = certificates.gateway_id))`,
        )
        .orderBy('notAfter')
        .orderBy('uploadedAt')
        .execute(),
    async list({ tenantId, mode, companyIds, companyId, ours }) {
      const companies = having(db.selectFrom('companies').select('id'), { tenantId, mode, id: companyId })
      const all = select().where('companyId', 'in', companies.where(ofCompanies('id', companyIds)))
      const query = having(all, { gatewayId: ours ? LOCAL_GATEWAY : null })
      return (await query.orderBy('uploadedAt', 'desc').orderBy('id', 'desc').execute()).map(toCertificate)
    },
    current: async (companyId) => toCertificate((await inUse(db, companyId)).rows[0]),
    supersedeCurrent: (companyId, at) =>
      db
        .updateTable('certificates')
        .set({ supersededAt: at })
        .where(matching({ companyId, gatewayId: LOCAL_GATEWAY, supersededAt: null }))
        .$call(run),
    async revoke(id, at) {
      await change(db, 'certificates', { id, revokedAt: null }, { revokedAt: at })
    },
  }
}

/** A server may have very many companies; a certificate with its key has some 4 KB. */
const MOST_HELD = 200

/** Which one a company signs with is read each time, what it says once: it never changes, and is by far the longest. */
export function certificatesInUse(db: Db) {
  const held = new Map<string, Certificate>()
  return {
    of(companyId: string): Certificate | undefined {
      const id = idInUse.now(db, companyId).rows[0]?.id
      const known = held.get(companyId)
      if (known?.id === id) return known
      held.delete(companyId)
      const current = toCertificate(inUse.now(db, companyId).rows[0])
      if (held.size >= MOST_HELD) held.clear()
      if (current) held.set(companyId, current)
      return current
    },
  }
}

export function certificateRow(certificate: Certificate) {
  const intermediates = JSON.stringify(certificate.intermediates.map((der) => der.toString('base64')))
  return { ...certificate, intermediates }
}

type Stored = Selectable<Tables['certificates']>

export function toCertificate<Row extends Stored | undefined>(stored: Row): Certificate | Extract<Row, undefined> {
  if (stored === undefined) return undefined as Extract<Row, undefined>
  const { gatewayId: _gateway, syncVersion: _version, ...row } = stored
  const intermediates = (JSON.parse(row.intermediates) as string[]).map((der) => Buffer.from(der, 'base64'))
  return { ...row, intermediates }
}

export const { toColumns: deviceRow, toModel: toDevice } = columnsOf<Device>()({ json: ['deviceConfig'] })

export const deviceById = writtenOnce((db, id: string) => db.selectFrom('devices').selectAll().where('id', '=', id))

export const changeDevice = writtenOncePerColumns((db, changes: Updateable<Tables['devices']>, id: string) =>
  db.updateTable('devices').set(changes).where('id', '=', id),
)

export function devices(db: Db): StoreTransaction['devices'] {
  const select = () => db.selectFrom('devices').selectAll()
  const own = () => select().where('gatewayId', '=', LOCAL_GATEWAY)
  return {
    insert: (device) => insertNew(db.insertInto('devices').values(deviceRow(device))),
    get: async (id) => toDevice((await deviceById(db, id)).rows[0]),
    async named(tenantId, labelOrId) {
      const rows = await select()
        .where('tenantId', '=', tenantId)
        .where((eb) => eb.or([eb('id', '=', labelOrId), eb('label', 'in', spellingsOf(labelOrId))]))
        .orderBy('createdAt')
        .execute()
      return rows.map(toDevice)
    },
    async labelled(companyId, label) {
      const rows = await own().where('companyId', '=', companyId).where('label', 'in', spellingsOf(label)).execute()
      return toDevice(rows.find((row) => row.label === label) ?? rows[0])
    },
    withIsuNumber: async (isuNumber) => toDevice(await own().where('isuNumber', '=', isuNumber).executeTakeFirst()),
    async list({ mode, companyIds, ours, text, ...values }, slice) {
      const gatewayId = ours ? LOCAL_GATEWAY : values.gatewayId
      const all = having(sliceBy(select(), 'createdAt', 'asc', slice), { ...values, gatewayId })
      let query = all.where(ofCompanies('companyId', companyIds))
      if (mode !== null) {
        query = query.where('companyId', 'in', (eb) => eb.selectFrom('companies').select('id').where('mode', '=', mode))
      }
      if (text !== undefined) query = query.where(speaksOf(text))
      return (await query.execute()).map(toDevice)
    },
    async counts(companyId) {
      const alike = ['gatewayId', 'status', 'isuStatus'] as const
      const counted = db.selectFrom('devices').where('companyId', '=', companyId).groupBy(alike).select(alike)
      const rows = await counted.select((eb) => eb.fn.countAll<number>().as('count')).execute()
      return rows.map((row) => ({ ...row, count: Number(row.count) }))
    },
    async update(id, changes) {
      if (Object.keys(changes).length === 0) return
      const update = () => changeDevice(db, deviceRow(changes), id)
      const mayBeTaken = changes.label !== undefined || changes.isuNumber !== undefined
      await (mayBeTaken ? refusingDuplicates(db, update) : update())
    },
    seen: (id, at) =>
      db
        .updateTable('devices')
        .set({ lastSeenAt: at })
        .where(matching({ id, gatewayId: LOCAL_GATEWAY }))
        .$call(run),
    async summary() {
      const row = await db
        .selectFrom('devices')
        .where(matching({ status: 'active', gatewayId: LOCAL_GATEWAY }))
        .select((eb) => [
          eb.fn.countAll<number>().as('total'),
          eb.fn.count<number>('isuNumber').as('withIsu'),
          eb.fn.max('lastSuccessAt').as('lastSuccessAt'),
        ])
        .executeTakeFirstOrThrow()
      return { total: row.total, withoutIsu: row.total - row.withIsu, lastSuccessAt: row.lastSuccessAt }
    },
  }
}

/** Searches without an index, since a fleet is small. Letters beyond ASCII are case-sensitive. */
function speaksOf(text: string) {
  // SQLite ends a text at NUL; no label contains one.
  if (text.includes('\0')) return sql<SqlBool>`1 = 0`
  const part = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return sql<SqlBool>`(lower(label) LIKE lower(${part}) ESCAPE '\\' OR lower(premises_address) LIKE lower(${part}) ESCAPE '\\'
    OR premises_code = ${text} OR isu_number = ${text})`
}
