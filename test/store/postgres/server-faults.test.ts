import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DatabaseAway, NotStored } from '../../../src/fiscal/ports/store.ts'
import { type OpenStore, openStore } from '../../../src/store/store.ts'
import { ownedDatabase, postgresDatabase, query, skipWithoutPostgres } from '../../support/postgres.ts'

/** How long a caller waits for an answer at most, in milliseconds. */
const IN_TIME_MS = 5_000

async function opened(url: string): Promise<OpenStore> {
  const store = await openStore(url, 1)
  onTestFinished(() => store.close())
  return store
}

/** From now on inserts into a table fail: so often, or where the key of a row begins with a text. */
const failing = (url: string, table: string, code: string, condition: string) =>
  query(
    url,
    `CREATE SEQUENCE IF NOT EXISTS asked;
     CREATE OR REPLACE FUNCTION fail_${table}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF ${condition} THEN RAISE EXCEPTION 'raised' USING ERRCODE = '${code}'; END IF;
       RETURN NEW; END $$;
     CREATE OR REPLACE TRIGGER fail BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION fail_${table}()`,
  )

const tenant = { id: 't', name: 't', createdAt: 1 }

async function failure(work: Promise<unknown>): Promise<unknown> {
  const asked = performance.now()
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(performance.now() - asked).toBeLessThan(IN_TIME_MS)
  return error
}

const AWAY = 'cannot be reached'
const BUSY = 'was busy with other work'
const FILES = 'cannot read or write its files'
const DAMAGED = 'has a damaged table or index'
const OUT = 'lacks what it needs to work'
const LOGIN = 'refuses the login of fiskd'

/** What is told of each code. PostgreSQL or a proxy raises most of them for a connection, not for an insert as here. */
const ABOUT_THE_SERVER: readonly [code: string, problem: string][] = [
  ['08006', AWAY],
  ['08P01', AWAY],
  ['25006', 'takes no writes: it is a standby, or set to read only'],
  ['25P03', BUSY],
  ['28000', LOGIN],
  ['28P01', LOGIN],
  ['3D000', 'is not there'],
  ['40001', BUSY],
  ['40P01', BUSY],
  ['53000', OUT],
  ['53100', 'has no space left on its disk'],
  ['53200', 'has no memory left'],
  ['53300', 'takes no more connections of fiskd'],
  ['53400', OUT],
  ['55P03', BUSY],
  ['57000', OUT],
  ['57014', 'has cancelled it, because of a time limit or by order'],
  ['57P01', AWAY],
  ['57P03', AWAY],
  ['57P05', AWAY],
  ['58000', FILES],
  ['58030', FILES],
  ['58P01', FILES],
  ['XX001', DAMAGED],
  ['XX002', DAMAGED],
]

const ABOUT_THE_RECORD = ['22001', '22003', '22P02', '23502', '23503', '23514', '42501', '42703', '0A000', 'P0001']

describe.skipIf(skipWithoutPostgres)('an error of PostgreSQL', () => {
  test('about the server does not fail a transaction that PostgreSQL takes when it is repeated', async () => {
    const url = await postgresDatabase()
    const store = await opened(url)
    for (const [code] of ABOUT_THE_SERVER) {
      await failing(url, 'tenants', code, `nextval('asked') % 3 > 0`)
      await store
        .transaction((tx) => tx.tenants.insert({ ...tenant, id: code }))
        .catch((error) => {
          throw new Error(code, { cause: error })
        })
    }
    expect((await store.tenants.list()).length).toBe(ABOUT_THE_SERVER.length + 1)
  })

  test('about the server says what is wrong with it, and the next write is taken', async () => {
    const url = await postgresDatabase()
    const store = await opened(url)
    for (const [code, problem] of ABOUT_THE_SERVER) {
      await failing(url, 'tenants', code, 'true')
      const error = await failure(store.transaction((tx) => tx.tenants.insert(tenant)))
      expect({ code, error }).toMatchObject({ code, error: { problem, message: `the database ${problem}: raised` } })
      expect(error).toBeInstanceOf(NotStored)
      const single = await failure(store.tenants.insert(tenant))
      expect({ code, single }).toMatchObject({ code, single: { problem } })
      await query(url, 'DROP TRIGGER fail ON tenants')
      await store.tenants.insert({ ...tenant, id: code })
    }
  })

  test.each(ABOUT_THE_RECORD)('%s is about the record, and tried once', async (code) => {
    const url = await postgresDatabase()
    const store = await opened(url)
    await failing(url, 'tenants', code, `nextval('asked') > 0`)
    for (const on of [store, { tenants: { insert: () => store.transaction((tx) => tx.tenants.insert(tenant)) } }])
      expect(await failure(on.tenants.insert(tenant))).not.toBeInstanceOf(DatabaseAway)
    expect(await query(url, `SELECT last_value::int AS asked FROM asked`)).toEqual([{ asked: 2 }])
  })

  test('that says that nothing can be stored makes the database away until a row can be stored', async () => {
    const url = await postgresDatabase()
    const store = await opened(url)
    await failing(url, 'meta', '53100', `NEW.key LIKE 'trial %'`)
    await failing(url, 'tenants', '53100', 'true')
    expect(await failure(store.tenants.insert(tenant))).toMatchObject({ problem: 'has no space left on its disk' })
    expect(await failure(store.ping())).toMatchObject({ problem: 'has no space left on its disk' })
    // Beats are stored meanwhile.
    await setTimeout(3_000)
    expect(store.reach.away()).toMatchObject({ problem: 'has no space left on its disk' })
    expect(await failure(store.tenants.list())).toBeInstanceOf(DatabaseAway)
    await query(url, 'DROP TRIGGER fail ON tenants; DROP TRIGGER fail ON meta')
    await store.reach.back()
    await store.tenants.insert(tenant)
    expect(await query(url, `SELECT key FROM meta WHERE key LIKE 'trial%'`)).toEqual([])
  })

  test('that refuses a login is about the server where the connection of the beats is still open', async () => {
    const { url, direct, role } = await ownedDatabase('')
    const store = await opened(url)
    await query(direct, `ALTER ROLE ${role} NOLOGIN`)
    const sessions = `FROM pg_stat_activity WHERE usename = '${role}' AND query`
    await expect.poll(() => query(direct, `SELECT pid ${sessions} LIKE '%UPDATE processes%'`)).toHaveLength(1)
    await query(direct, `SELECT pg_terminate_backend(pid) ${sessions} NOT LIKE '%UPDATE processes%'`)
    expect(await failure(store.tenants.list())).toMatchObject({ problem: 'refuses the login of fiskd' })
    expect(store.reach.away()).toBeUndefined()
    await query(direct, `ALTER ROLE ${role} LOGIN`)
    await store.tenants.insert(tenant)
  })
})

describe.skipIf(skipWithoutPostgres)('a store that gets no connection', () => {
  /** Takes connections of the pool until the test lets them go. */
  async function holding(store: OpenStore, count: number): Promise<() => Promise<unknown>> {
    const { promise: free, resolve: release } = Promise.withResolvers<void>()
    let begun = 0
    const held = Array.from({ length: count }, () =>
      store.transaction(async (tx) => {
        await tx.tenants.list()
        begun++
        await free
      }),
    )
    await expect.poll(() => begun).toBe(count)
    return () => {
      release()
      return Promise.all(held)
    }
  }

  test('because all of its own are in use answers within five seconds, and works once one is free', async () => {
    const store = await opened(await postgresDatabase())
    const release = await holding(store, 10)
    const errors = await Promise.all([store.tenants.insert(tenant), store.ping()].map(failure))
    for (const error of errors) {
      expect(error).toBeInstanceOf(NotStored)
      expect(error).toMatchObject({ problem: 'is busy: all connections of fiskd are in use' })
    }
    expect(store.reach.away()).toBeUndefined()
    await release()
    await store.tenants.insert(tenant)
  })

  test('because PostgreSQL has no more for its role answers within five seconds, and works once one is free', async () => {
    const { url } = await ownedDatabase('CONNECTION LIMIT 4')
    const store = await opened(url)
    const release = await holding(store, 3)
    const transaction = store.transaction((tx) => tx.tenants.insert(tenant))
    const errors = await Promise.all([store.tenants.insert(tenant), transaction, store.ping()].map(failure))
    for (const error of errors) {
      expect(error).toBeInstanceOf(NotStored)
      expect(String(error)).toMatch(/takes no more connections of fiskd|all connections of fiskd are in use/)
    }
    expect(store.reach.away()).toBeUndefined()
    await release()
    await store.tenants.insert(tenant)
  })
})
