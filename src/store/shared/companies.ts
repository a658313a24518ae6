import type { Selectable } from 'kysely'
import { companyIdWithin } from '../../domain/company-id.ts'
import { type Company, LOCAL_GATEWAY } from '../../fiscal/ports/model.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import { type Db, insertNew } from '../sqlite/connection.ts'
import { beyond } from './list-slice.ts'
import { ofCompanies } from './of-companies.ts'
import { dropForeignClaims } from './sync/foreign-claims.ts'
import type { Tables } from './tables.ts'
import { writtenOnce } from './written-once.ts'

export const companyById = writtenOnce((db, id: string) => db.selectFrom('companies').selectAll().where('id', '=', id))

export function companies(db: Db): StoreTransaction['companies'] {
  const select = () => db.selectFrom('companies').selectAll()
  return {
    async insert(company) {
      await insertNew(db.insertInto('companies').values(companyRow(company)))
      await dropForeignClaims(db, [company.id])
    },
    async get(id) {
      return toCompany((await companyById(db, id)).rows[0])
    },
    async byOib(tenantId, oib) {
      return toCompany(await select().where('tenantId', '=', tenantId).where('oib', '=', oib).executeTakeFirst())
    },
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
      let query = select().orderBy('createdAt').orderBy('id').limit(slice.limit)
      if (tenantId !== null) query = query.where('tenantId', '=', tenantId)
      if (mode !== null) query = query.where('mode', '=', mode)
      if (companyIds !== null) query = query.where(ofCompanies('id', companyIds))
      if (id !== undefined) query = query.where('id', '=', id)
      if (status !== undefined) query = query.where('status', '=', status)
      if (slice.after) query = query.where(beyond('createdAt', 'id', '>', slice.after))
      return (await query.execute()).map((row) => toCompany(row))
    },
    async update(id, { vatRegistered, address, fiscalConfig, ...plain }) {
      const row = {
        ...plain,
        ...(vatRegistered !== undefined && { vatRegistered: Number(vatRegistered) }),
        ...(address && { address: JSON.stringify(address) }),
        ...(fiscalConfig && { fiscalConfig: JSON.stringify(fiscalConfig) }),
      }
      if (Object.keys(row).length === 0) return
      await db.updateTable('companies').set(row).where('id', '=', id).execute()
    },
    async ours() {
      const own = select().where('gatewayId', '=', LOCAL_GATEWAY).orderBy('createdAt').orderBy('id')
      return (await own.execute()).map((row) => toCompany(row))
    },
    async activeModes() {
      const own = db.selectFrom('companies').select('mode').distinct().orderBy('mode', 'desc')
      const active = own.where('gatewayId', '=', LOCAL_GATEWAY).where('status', '=', 'active')
      return (await active.execute()).map(({ mode }) => mode)
    },
    async all() {
      return (await select().orderBy('createdAt').orderBy('id').execute()).map((row) => toCompany(row))
    },
  }
}

/** Without a hash of a logo, the column is left to the database. */
export function companyRow<C extends Pick<Company, 'vatRegistered' | 'address' | 'fiscalConfig'>>(company: C) {
  const { vatRegistered, address, fiscalConfig, ...plain } = company
  return {
    ...plain,
    vatRegistered: Number(vatRegistered),
    address: JSON.stringify(address),
    fiscalConfig: JSON.stringify(fiscalConfig),
  }
}

export function toCompany(row: Selectable<Tables['companies']>): Company
export function toCompany(row: Selectable<Tables['companies']> | undefined): Company | undefined
export function toCompany(row: Selectable<Tables['companies']> | undefined): Company | undefined {
  if (!row) return undefined
  const { syncVersion: _version, ...company } = row
  return {
    ...company,
    vatRegistered: row.vatRegistered === 1,
    address: JSON.parse(row.address),
    fiscalConfig: JSON.parse(row.fiscalConfig),
  }
}
