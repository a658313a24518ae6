import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openPool } from '../../../src/store/postgres/pool.ts'
import { applyChanges, type SchemaChange } from '../../../src/store/postgres/schema-change.ts'
import type { Db } from '../../../src/store/sqlite/connection.ts'
import { postgresDatabase, query, skipWithoutPostgres } from '../../support/postgres.ts'

function connect(url: string): Db {
  const { db } = openPool(url)
  onTestFinished(() => db.destroy())
  return db
}

const CONTRACTION = '003-contraction'

/** The changes of a release that comes later; the second step of its first change fails once, and works row by row. */
function laterChanges(): Record<string, SchemaChange> {
  let fails = true
  return {
    '001-initial': { up: async () => {} },
    '002-steps': {
      steps: [
        async (trx) => {
          await sql`CREATE TABLE former (id bigint)`.execute(trx)
          await sql`CREATE TABLE later (id bigint PRIMARY KEY, note text)`.execute(trx)
        },
        async (trx) => {
          await sql`INSERT INTO later SELECT count(*) + 1, 'x' FROM later`.execute(trx)
          if (fails) {
            fails = false
            throw new Error('killed')
          }
          const { rows } = await sql<{ count: number }>`SELECT count(*) FROM later`.execute(trx)
          return Number(rows[0]?.count) === 3
        },
        { index: 'later_by_note', table: 'later', on: '(note)' },
      ],
    },
    [CONTRACTION]: {
      contracts: true,
      up: async (trx) => {
        await sql`DROP TABLE former`.execute(trx)
      },
    },
  }
}

test.skipIf(skipWithoutPostgres)(
  'an upgrade goes on where it was interrupted, by several processes at once, and takes away last what older ones need',
  async () => {
    const url = await postgresDatabase()
    const [changes, program] = [laterChanges(), '1.1.0']
    const [one, other] = [connect(url), connect(url)]
    await query(
      url,
      `INSERT INTO processes (instance, host, pid, version, started_at) VALUES ('i', 'h', 1, '1.0.0', 1)`,
    )
    await expect(applyChanges(one, changes, { program })).rejects.toThrow('killed')
    const step = `SELECT convert_from(value, 'UTF8') AS step FROM meta WHERE key = 'schema_step'`
    expect(await query(url, step)).toEqual([{ step: '002-steps 1' }])
    expect(await query(url, 'SELECT id FROM later')).toEqual([])

    const both = [applyChanges(one, changes, { program }), applyChanges(other, changes, { program })]
    expect(await Promise.all(both)).toEqual([[CONTRACTION], [CONTRACTION]])
    expect(await query(url, 'SELECT id::int FROM later ORDER BY id')).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
    const index = `SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = 'later_by_note'::regclass`
    expect(await query(url, index)).toEqual([{ valid: true }])
    expect(await query(url, step)).toEqual([])
    const applied = 'SELECT name FROM kysely_migration ORDER BY name'
    expect(await query(url, applied)).toEqual([{ name: '001-initial' }, { name: '002-steps' }])
    expect(await query(url, 'SELECT id FROM former')).toEqual([])

    await query(url, `UPDATE processes SET version = '1.1.0'`)
    expect(await applyChanges(other, changes, { program })).toEqual([])
    expect(await query(url, `SELECT to_regclass('former') AS former`)).toEqual([{ former: null }])
  },
)
