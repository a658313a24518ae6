import type { ConnectionBreak } from '../../domain/sale/connection-break.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { KeptFacts } from '../../fiscal/ports/kept-facts.ts'
import type { ClockMarks, ConnectionBreakRows } from '../../fiscal/ports/rows/processes.ts'
import type { StoreTransaction } from '../../fiscal/ports/store.ts'
import { type Db, unlessThere } from '../sqlite/connection.ts'
import { run, upsert } from './queries.ts'

export function metaFacts(db: Db): KeptFacts {
  const factOf = async (key: string) =>
    (await db.selectFrom('meta').select('value').where('key', '=', key).executeTakeFirst())?.value
  return {
    get: factOf,
    async keep(key, value) {
      await db.insertInto('meta').values({ key, value }).onConflict(unlessThere).execute()
      return (await factOf(key)) ?? value
    },
    put: (key, value) => upsert(db, 'meta', { key, value }, 'key'),
    remove: (key) => db.deleteFrom('meta').where('key', '=', key).$call(run),
  }
}

/** The key in `meta`; its value is JSON. There are at most some ten breaks. */
const BREAKS = 'connection_breaks'

export const connectionBreaks = (db: Db): ConnectionBreakRows => ({
  async list() {
    const value = await metaFacts(db).get(BREAKS)
    return value ? (JSON.parse(value.toString()) as ConnectionBreak[]) : []
  },
  put: (breaks) => metaFacts(db).put(BREAKS, Buffer.from(JSON.stringify(breaks))),
})

/** The key of each mark in `meta`, whose value is decimal text; keys of the test mode have a prefix. */
const KEYS = {
  newestAt: 'newest_moment',
  provenAt: 'proven_moment',
  exactAt: 'exact_moment',
} as const satisfies Record<keyof ClockMarks, string>
const PREFIX: Record<Mode, string> = { live: '', test: 'test_' }

export function clockMarks(db: Db): StoreTransaction['moments'] {
  /** For a database without marks: when a device was last seen, or the last invoice was made. */
  async function newestRow(): Promise<number> {
    const devices = await db
      .selectFrom('devices')
      .select((eb) => [eb.fn.max('lastSeenAt').as('seen'), eb.fn.max('lastSuccessAt').as('success')])
      .executeTakeFirst()
    // Ids are ordered by time, so this query is cheap.
    const invoice = await db
      .selectFrom('invoices')
      .select('createdAt')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return Math.max(devices?.seen ?? 0, devices?.success ?? 0, invoice?.createdAt ?? 0)
  }

  return {
    async load(mode) {
      const names = Object.values(KEYS).map((name) => PREFIX[mode] + name)
      const rows = await db.selectFrom('meta').selectAll().where('key', 'in', names).execute()
      const kept = (name: keyof ClockMarks) => {
        const row = rows.find(({ key }) => key === PREFIX[mode] + KEYS[name])
        return row && Number(row.value.toString())
      }
      return {
        newestAt: kept('newestAt') ?? (await newestRow()),
        provenAt: kept('provenAt') ?? 0,
        exactAt: kept('exactAt') ?? 0,
      }
    },
    async save(mode, moments) {
      const values = Object.entries(moments).map(([name, at]) => ({
        key: PREFIX[mode] + KEYS[name as keyof ClockMarks],
        value: Buffer.from(String(Math.round(at))),
      }))
      await db
        .insertInto('meta')
        .values(values)
        .onConflict((conflict) => conflict.column('key').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })))
        .execute()
    },
  }
}
