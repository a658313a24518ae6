import type { Moments, StoreTransaction } from '../fiscal/store-port.ts'
import type { Db } from './connection.ts'

/** By what name each is kept in `meta`, as decimal text. */
const KEYS = {
  newestAt: 'newest_moment',
  provenAt: 'proven_moment',
  exactAt: 'exact_moment',
} as const satisfies Record<keyof Moments, string>

export function moments(db: Db): StoreTransaction['moments'] {
  /** Of a database that has kept none: when a device was last heard, or the last invoice was made. */
  async function newestRow(): Promise<number> {
    const devices = await db
      .selectFrom('devices')
      .select((eb) => [eb.fn.max('lastSeenAt').as('seen'), eb.fn.max('lastSuccessAt').as('success')])
      .executeTakeFirst()
    // Ids are ordered by time, so that this costs nothing.
    const invoice = await db
      .selectFrom('invoices')
      .select('createdAt')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return Math.max(devices?.seen ?? 0, devices?.success ?? 0, invoice?.createdAt ?? 0)
  }

  return {
    async load() {
      const rows = await db.selectFrom('meta').selectAll().where('key', 'in', Object.values(KEYS)).execute()
      const kept = (name: keyof Moments) => {
        const row = rows.find(({ key }) => key === KEYS[name])
        return row && Number(row.value.toString())
      }
      return {
        newestAt: kept('newestAt') ?? (await newestRow()),
        provenAt: kept('provenAt') ?? 0,
        exactAt: kept('exactAt') ?? 0,
      }
    },
    async save(moments) {
      const values = Object.entries(moments).map(([name, at]) => ({
        key: KEYS[name as keyof Moments],
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
