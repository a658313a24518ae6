import type { Selectable } from 'kysely'
import type { Company } from '../fiscal/model.ts'
import type { StoreTransaction } from '../fiscal/store-port.ts'
import { type Db, insertUnique } from './connection.ts'
import type { Tables } from './tables.ts'

export function companies(db: Db): StoreTransaction['companies'] {
  const select = () => db.selectFrom('companies').selectAll()
  return {
    async insert(company) {
      const row = {
        ...company,
        vatRegistered: Number(company.vatRegistered),
        address: JSON.stringify(company.address),
        fiscalConfig: JSON.stringify(company.fiscalConfig),
      }
      await insertUnique(db.insertInto('companies').values(row).execute())
    },
    async get(id) {
      return toCompany(await select().where('id', '=', id).executeTakeFirst())
    },
    async byOib(oib) {
      return toCompany(await select().where('oib', '=', oib).executeTakeFirst())
    },
    async all() {
      return (await select().orderBy('createdAt').orderBy('id').execute()).map((row) => toCompany(row))
    },
  }
}

function toCompany(row: Selectable<Tables['companies']>): Company
function toCompany(row: Selectable<Tables['companies']> | undefined): Company | undefined
function toCompany(row: Selectable<Tables['companies']> | undefined): Company | undefined {
  return (
    row && {
      ...row,
      vatRegistered: row.vatRegistered === 1,
      address: JSON.parse(row.address),
      fiscalConfig: JSON.parse(row.fiscalConfig),
    }
  )
}
