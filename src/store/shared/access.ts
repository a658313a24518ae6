import { sql } from 'kysely'
import type { ApiKey, AuditEntry } from '../../fiscal/ports/model.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import { type Db, insertNew } from '../sqlite/connection.ts'
import { change, columnsOf, countOf, having, run, sliceBy, upsert } from './queries.ts'
import { writtenOnce } from './written-once.ts'

export function tenants(db: Db): StoreTransaction['tenants'] {
  return {
    insert: (tenant) => insertNew(db.insertInto('tenants').values(tenant)),
    get: (id) => db.selectFrom('tenants').selectAll().where('id', '=', id).executeTakeFirst(),
    list: () => db.selectFrom('tenants').selectAll().orderBy('createdAt').orderBy('id').execute(),
  }
}

export function branding(db: Db): StoreTransaction['branding'] {
  return {
    async get(tenantId) {
      const stored = db.selectFrom('branding').select('name').where('tenantId', '=', tenantId)
      return (await stored.executeTakeFirst())?.name ?? null
    },
    put: (tenantId, name) => upsert(db, 'branding', { tenantId, name }, 'tenantId'),
  }
}

const KEY = columnsOf<ApiKey>()({ json: ['scopes'] })

const byHash = writtenOnce((db, hash: string) => db.selectFrom('apiKeys').selectAll().where('hash', '=', hash))

export function apiKeys(db: Db): StoreTransaction['apiKeys'] {
  const select = () => db.selectFrom('apiKeys').selectAll()
  return {
    insert: (key) => insertNew(db.insertInto('apiKeys').values(KEY.toColumns(key))),
    byHash: async (hash) => KEY.toModel((await byHash(db, hash)).rows[0]),
    get: async (id) => KEY.toModel(await select().where('id', '=', id).executeTakeFirst()),
    async list(tenantId) {
      const rows = await select().where('tenantId', '=', tenantId).orderBy('createdAt').orderBy('id').execute()
      return rows.map(KEY.toModel)
    },
    revoke: (id, at) => change(db, 'apiKeys', { id, revokedAt: null }, { revokedAt: at }),
  }
}

const ENTRY = columnsOf<AuditEntry>()({ json: ['detail'] })

export function audit(db: Db): StoreTransaction['audit'] {
  return {
    insert: (entry) => db.insertInto('auditLog').values(ENTRY.toColumns(entry)).$call(run),
    async list(tenantId, { actor, areas, about = [], from, to, withoutJobs }, slice) {
      const has = (text: string) => sql<boolean>`detail LIKE ${`%"${text}"%`}`
      let query = having(db.selectFrom('auditLog').selectAll(), { tenantId, actor })
      if (areas) query = query.where((eb) => eb.or(areas.map((area) => eb('action', 'like', `${area}%`))))
      for (const ids of about) query = query.where((eb) => eb.or(ids.map(has)))
      if (from !== undefined) query = query.where('at', '>=', from)
      if (to !== undefined) query = query.where('at', '<', to)
      if (withoutJobs) query = query.where(sql<boolean>`NOT ${has('job_id')}`)
      return (await sliceBy(query, 'at', 'desc', slice).execute()).map(ENTRY.toModel)
    },
    async latest(action) {
      const done = db.selectFrom('auditLog').where('action', '=', action)
      const latest = done.select((eb) => eb.fn.max<number | null>('at').as('at'))
      return (await latest.executeTakeFirstOrThrow()).at
    },
    countFrom: (action, firstId) =>
      db.selectFrom('auditLog').where('id', '>=', firstId).where('action', '=', action).$call(countOf),
  }
}
