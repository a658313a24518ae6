import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openPool } from '../../../src/store/postgres/pool.ts'
import { applyChanges } from '../../../src/store/postgres/schema-change.ts'
import type { Db } from '../../../src/store/sqlite/connection.ts'
import { openStore } from '../../../src/store/store.ts'
import { diagnose } from '../../support/diagnosis.ts'
import { startGateway } from '../../support/gateway.ts'
import { withoutPgBouncer } from '../../support/pgbouncer.ts'
import { postgresDatabase, query, skipWithoutPostgres } from '../../support/postgres.ts'
import { FISKD } from '../../support/programs.ts'
import { tempDir } from '../../support/temp-dir.ts'

/** A database of whose roles nobody has more than is granted: not even what PostgreSQL grants to all by default. */
async function strictDatabase(options?: { empty: boolean }) {
  const url = withoutPgBouncer(await postgresDatabase(options))
  const name = /@\/(\w+)/.exec(url)?.[1] ?? ''
  const roles = { DATABASE: name, OWNER: `owner_${randomUUID().slice(0, 8)}`, APP: `app_${randomUUID().slice(0, 8)}` }
  const named = (text: string) => text.replace(/\b(DATABASE|OWNER|APP)_\b/g, (_, one: keyof typeof roles) => roles[one])
  const administer = (text: string) => query(url, named(text))
  await administer(`
    REVOKE ALL ON DATABASE DATABASE_ FROM PUBLIC;
    REVOKE ALL ON SCHEMA public FROM PUBLIC;
    CREATE ROLE OWNER_ LOGIN; CREATE ROLE APP_ LOGIN;
    GRANT CONNECT, TEMPORARY ON DATABASE DATABASE_ TO OWNER_, APP_`)
  const urlOf = (role: 'OWNER' | 'APP') => url.replace('fiskd@', `${roles[role]}@`)
  return { named, administer, urlOf }
}

type Strict = Awaited<ReturnType<typeof strictDatabase>>

const OWN_SCHEMA = 'CREATE SCHEMA shop AUTHORIZATION OWNER_; ALTER ROLE OWNER_ SET search_path = shop'
const ROWS_ONLY = `
  ALTER ROLE APP_ SET search_path = shop;
  GRANT USAGE ON SCHEMA shop TO APP_;
  GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA shop TO APP_;
  REVOKE INSERT, UPDATE, DELETE ON shop.kysely_migration FROM APP_`

async function opens(url: string) {
  const store = await openStore(url, 1)
  onTestFinished(() => store.close())
  return store
}

async function emptySchema(): Promise<Strict> {
  const database = await strictDatabase({ empty: true })
  await database.administer(
    'CREATE SCHEMA shop; GRANT USAGE, CREATE ON SCHEMA shop TO OWNER_; ALTER ROLE OWNER_ SET search_path = shop',
  )
  return database
}

/** The tables are made by their owner; another role gets their rows. */
async function madeByOwner(): Promise<Strict> {
  const database = await strictDatabase({ empty: true })
  await database.administer(OWN_SCHEMA)
  await (await openStore(database.urlOf('OWNER'), 1)).close()
  await database.administer(ROWS_ONLY)
  return database
}

function start(url: string, dataDir: string) {
  const env = { FISKD_ROLE: 'server', FISKD_DATABASE_URL: url, FISKD_DATA_DIR: dataDir, FISKD_LISTEN: '127.0.0.1:0' }
  return spawnSync(process.execPath, [FISKD], { env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' })
}

describe.skipIf(skipWithoutPostgres)('the role of fiskd on PostgreSQL', () => {
  test('makes and checks its tables where it owns one schema and may make none', async () => {
    const { administer, urlOf } = await strictDatabase({ empty: true })
    await administer('CREATE SCHEMA "my-shop" AUTHORIZATION OWNER_; ALTER ROLE OWNER_ SET search_path = "my-shop"')
    const store = await opens(urlOf('OWNER'))
    expect(await store.care.schemaProblems()).toEqual([])
    await administer('ALTER TABLE "my-shop".invoices DISABLE TRIGGER invoices_are_kept')
    expect(await store.care.schemaProblems()).toEqual(['the trigger invoices_are_kept is not the one fiskd made'])
  })

  test('serves with rows only where another one has made the tables', async () => {
    const { urlOf } = await madeByOwner()
    const server = await startGateway({ FISKD_ROLE: 'server', FISKD_DATABASE_URL: urlOf('APP') })
    expect(await server.sell()).toMatchObject({ number: '1', status: 'confirmed' })
    expect(await diagnose(server)).toContainEqual(expect.objectContaining({ name: 'schema', status: 'ok' }))
  })

  test('leaves to the owner of the tables what only older programs need', async () => {
    const { urlOf, administer } = await madeByOwner()
    const { db } = openPool(urlOf('APP'))
    onTestFinished(() => db.destroy())
    const changes = {
      '001-initial': { up: async () => {} },
      '002-contraction': { contracts: true as const, up: (trx: Db) => sql`DROP TABLE claims`.execute(trx) },
    }
    expect(await applyChanges(db, changes)).toEqual(['002-contraction'])
    expect(await administer(`SELECT to_regclass('shop.claims') AS claims`)).toEqual([{ claims: 'shop.claims' }])
  })

  const needs: [string, () => Promise<Strict>, 'OWNER' | 'APP', string, string][] = [
    [
      'see its schema',
      emptySchema,
      'OWNER',
      'REVOKE USAGE ON SCHEMA shop FROM OWNER_',
      'GRANT USAGE ON SCHEMA shop TO OWNER_',
    ],
    [
      'make tables',
      emptySchema,
      'OWNER',
      'REVOKE CREATE ON SCHEMA shop FROM OWNER_',
      'GRANT CREATE ON SCHEMA shop TO OWNER_',
    ],
    [
      'make tables in the schema of all',
      emptySchema,
      'OWNER',
      'ALTER ROLE OWNER_ RESET search_path; GRANT USAGE ON SCHEMA public TO OWNER_',
      'GRANT CREATE ON SCHEMA public TO OWNER_',
    ],
    [
      'make temporary tables',
      madeByOwner,
      'APP',
      'REVOKE TEMPORARY ON DATABASE DATABASE_ FROM APP_',
      'GRANT TEMPORARY ON DATABASE DATABASE_ TO APP_',
    ],
    [
      'see the schema of another role',
      madeByOwner,
      'APP',
      'REVOKE USAGE ON SCHEMA shop FROM APP_',
      'GRANT USAGE ON SCHEMA shop TO APP_',
    ],
    [
      'read which changes were made',
      madeByOwner,
      'APP',
      'REVOKE SELECT ON shop.kysely_migration FROM APP_',
      'GRANT SELECT ON TABLE shop.kysely_migration TO APP_',
    ],
    [
      'store sales',
      madeByOwner,
      'APP',
      'REVOKE INSERT, UPDATE ON shop.invoices, shop.messages FROM APP_',
      'GRANT INSERT, UPDATE ON TABLE shop.invoices, shop.messages TO APP_',
    ],
    [
      'count sales',
      madeByOwner,
      'APP',
      'REVOKE EXECUTE ON FUNCTION shop.fiskd_zagreb_day FROM PUBLIC',
      'GRANT EXECUTE ON FUNCTION shop.fiskd_zagreb_day(bigint) TO APP_',
    ],
  ]
  test.each(needs)('has to %s, and is told what grants it', async (_what, make, role, revoke, grant) => {
    const { administer, urlOf, named } = await make()
    await administer(revoke)
    await expect(openStore(urlOf(role), 1)).rejects.toThrow(`let the owner of the database run: ${named(grant)}`)
    await administer(grant)
    await opens(urlOf(role))
  })

  test('may not change tables of another role, and is told who may', async () => {
    const { administer, urlOf, named } = await madeByOwner()
    await administer('DELETE FROM shop.kysely_migration')
    await expect(openStore(urlOf('APP'), 1)).rejects.toThrow(
      named(
        'GRANT CREATE ON SCHEMA shop TO APP_; GRANT OWNER_ TO APP_, or start fiskd once with the role that owns its tables',
      ),
    )
  })

  test('has to connect', async () => {
    const { administer, urlOf, named } = await madeByOwner()
    await administer('REVOKE CONNECT ON DATABASE DATABASE_ FROM APP_')
    const refused = openStore(urlOf('APP'), 1)
    await expect(refused).rejects.toThrow(
      named('"DATABASE_": let its owner run GRANT CONNECT ON DATABASE for the role'),
    )
  })

  test('ends the start with exit code 1 and the statement', async () => {
    const { administer, urlOf, named } = await strictDatabase({ empty: true })
    await administer(
      'CREATE SCHEMA shop; GRANT USAGE ON SCHEMA shop TO OWNER_; ALTER ROLE OWNER_ SET search_path = shop',
    )
    const { status, stderr } = start(urlOf('OWNER'), await tempDir())
    expect([status, stderr]).toEqual([
      1,
      named(
        'fiskd: the role OWNER_ of FISKD_DATABASE_URL lacks what fiskd needs for the schema change 001-initial in the schema ' +
          'shop; let the owner of the database run: GRANT CREATE ON SCHEMA shop TO OWNER_, or start fiskd once with the ' +
          'role that owns its tables\n',
      ),
    ])
  })
})
