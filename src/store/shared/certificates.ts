import type { Selectable } from 'kysely'
import { type Certificate, LOCAL_GATEWAY } from '../../fiscal/ports/model.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import { type Db, revokeOnce } from '../sqlite/connection.ts'
import { ofCompanies } from './of-companies.ts'
import type { Tables } from './tables.ts'
import { writtenOnce } from './written-once.ts'

const currentOf = (db: Db, companyId: string) =>
  db
    .selectFrom('certificates')
    .where('companyId', '=', companyId)
    .where('gatewayId', '=', LOCAL_GATEWAY)
    .where('supersededAt', 'is', null)
    .where('revokedAt', 'is', null)

const inUse = writtenOnce((db, companyId: string) => currentOf(db, companyId).selectAll())
const idInUse = writtenOnce((db, companyId: string) => currentOf(db, companyId).select('id'))

export function certificates(db: Db): StoreTransaction['certificates'] {
  const select = () => db.selectFrom('certificates').selectAll()
  return {
    async insert(certificate) {
      await db.insertInto('certificates').values(certificateRow(certificate)).execute()
    },
    async get(id) {
      const row = await select().where('id', '=', id).executeTakeFirst()
      return row && toCertificate(row)
    },
    async ownerOf(id) {
      const row = await db.selectFrom('certificates').select('gatewayId').where('id', '=', id).executeTakeFirst()
      return row?.gatewayId ?? LOCAL_GATEWAY
    },
    async ends(companyIds) {
      const rows = await db
        .selectFrom('certificates')
        .innerJoin('companies', 'companies.id', 'certificates.companyId')
        .select(['companyId', 'notAfter'])
        .where(ofCompanies('certificates.companyId', companyIds))
        .where((eb) =>
          eb.or([eb('companies.gatewayId', '!=', LOCAL_GATEWAY), eb('certificates.gatewayId', '=', LOCAL_GATEWAY)]),
        )
        .where('supersededAt', 'is', null)
        .where('revokedAt', 'is', null)
        .orderBy('uploadedAt')
        .orderBy('certificates.id')
        .execute()
      return new Map(rows.map(({ companyId, notAfter }) => [companyId, notAfter]))
    },
    async list({ tenantId, mode, companyIds, companyId, ours }) {
      let companies = db.selectFrom('companies').select('id')
      if (tenantId !== null) companies = companies.where('tenantId', '=', tenantId)
      if (mode !== null) companies = companies.where('mode', '=', mode)
      if (companyIds !== null) companies = companies.where(ofCompanies('id', companyIds))
      if (companyId !== undefined) companies = companies.where('id', '=', companyId)
      const query = select().where('companyId', 'in', companies).orderBy('uploadedAt', 'desc').orderBy('id', 'desc')
      return (await (ours ? query.where('gatewayId', '=', LOCAL_GATEWAY) : query).execute()).map(toCertificate)
    },
    async current(companyId) {
      const [row] = (await inUse(db, companyId)).rows
      return row && toCertificate(row)
    },
    async supersedeCurrent(companyId, at) {
      await db
        .updateTable('certificates')
        .set({ supersededAt: at })
        .where('companyId', '=', companyId)
        .where('gatewayId', '=', LOCAL_GATEWAY)
        .where('supersededAt', 'is', null)
        .execute()
    },
    async revoke(id, at) {
      await revokeOnce(db, 'certificates', id, at)
    },
  }
}

/** A server may have very many companies; a certificate with its key has some 4 KB. */
const MOST_HELD = 200

/**
 * The certificates that companies sign with. Which one that is, is read each time; what it says is read once, because a
 * certificate with its key never changes after it was stored, and is by far the longest of what a sale reads.
 */
export function certificatesInUse(db: Db) {
  const held = new Map<string, Certificate>()
  return {
    of(companyId: string): Certificate | undefined {
      const id = idInUse.now(db, companyId).rows[0]?.id
      const known = held.get(companyId)
      if (known?.id === id) return known
      held.delete(companyId)
      const [row] = inUse.now(db, companyId).rows
      const current = row && toCertificate(row)
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

export function toCertificate(stored: Selectable<Tables['certificates']>): Certificate {
  const { gatewayId: _gateway, syncVersion: _version, ...row } = stored
  const intermediates = (JSON.parse(row.intermediates) as string[]).map((der) => Buffer.from(der, 'base64'))
  return { ...row, intermediates }
}
