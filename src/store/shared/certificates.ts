import type { Selectable } from 'kysely'
import { type Certificate, LOCAL_GATEWAY } from '../../fiscal/ports/model.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import { type Db, revokeOnce } from '../sqlite/connection.ts'
import { ofCompanies } from './of-companies.ts'
import type { Tables } from './tables.ts'
import { writtenOnce } from './written-once.ts'

const inUse = writtenOnce((db, companyId: string) =>
  db
    .selectFrom('certificates')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('gatewayId', '=', LOCAL_GATEWAY)
    .where('supersededAt', 'is', null)
    .where('revokedAt', 'is', null),
)

export function certificates(db: Db): StoreTransaction['certificates'] {
  const select = () => db.selectFrom('certificates').selectAll()
  return {
    async insert(certificate) {
      const intermediates = JSON.stringify(certificate.intermediates.map((der) => der.toString('base64')))
      await db
        .insertInto('certificates')
        .values({ ...certificate, intermediates })
        .execute()
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

export function toCertificate(stored: Selectable<Tables['certificates']>): Certificate {
  const { gatewayId: _gateway, syncVersion: _version, ...row } = stored
  const intermediates = (JSON.parse(row.intermediates) as string[]).map((der) => Buffer.from(der, 'base64'))
  return { ...row, intermediates }
}
