import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Duplicate } from '../../../src/fiscal/ports/store.ts'
import { isDamage, NewerDatabase, UnusableDatabase } from '../../../src/store/shared/damage.ts'
import { type OpenStore, openStore } from '../../../src/store/store.ts'
import { postgresDatabase, query, skipWithoutPostgres } from '../../support/postgres.ts'

async function opened(url: string): Promise<OpenStore> {
  const store = await openStore(url, 1)
  onTestFinished(() => store.close())
  return store
}

const company = {
  id: 'c1',
  gatewayId: '',
  tenantId: 'default',
  name: 'Žuta čizma',
  oib: '02994650199',
  vatRegistered: true,
  address: { street: 'Ilica 1' },
  fiscalConfig: { default_vat_rate: null },
  mode: 'test',
  status: 'active',
  createdAt: 1_789_000_000_000,
  logoHash: null,
} as const

describe.skipIf(skipWithoutPostgres)('a database on PostgreSQL', () => {
  test('is made from nothing by two processes at once, and is as fiskd made it', async () => {
    const url = await postgresDatabase({ empty: true })
    const [store, other] = await Promise.all([opened(url), opened(url)])
    expect([await store.care.schemaProblems(), await other.care.schemaProblems()]).toEqual([[], []])
    expect((await store.tenants.list()).map(({ id }) => id)).toEqual(['default'])
    expect(await query(url, 'SELECT name FROM kysely_migration')).toEqual([{ name: '001-initial' }])
  })

  test('gives back what was stored: text, flags, moments and bytes', async () => {
    const url = await postgresDatabase()
    const store = await opened(url)
    await store.companies.insert(company)
    expect(await store.companies.get('c1')).toEqual(company)
    const value = Buffer.from([0, 255, 1])
    expect(await store.meta.keep('bytes', value)).toEqual(value)
    expect(await store.meta.get('bytes')).toEqual(value)
    expect(await store.devices.summary()).toEqual({ total: 0, withoutIsu: 0, lastSuccessAt: null })
  })

  test('keeps the first value of a fact, whoever comes second', async () => {
    const url = await postgresDatabase()
    const [one, other] = [await opened(url), await opened(url)]
    const kept = await Promise.all([one.meta.keep('k', Buffer.from('one')), other.meta.keep('k', Buffer.from('other'))])
    expect(kept[0]).toEqual(kept[1])
  })

  test('tells a taken key from every other failure, and goes on with the transaction', async () => {
    const store = await opened(await postgresDatabase())
    await store.companies.insert(company)
    const found = await store.transaction(async (tx) => {
      await expect(tx.companies.insert({ ...company, id: 'c2' })).rejects.toBeInstanceOf(Duplicate)
      return tx.companies.byOib(company.tenantId, company.oib)
    })
    expect(found?.id).toBe('c1')
    const homeless = { ...company, id: 'c3', oib: '18683136487', tenantId: 'nobody' }
    await expect(store.companies.insert(homeless)).rejects.not.toBeInstanceOf(Duplicate)
  })

  test('says so when a transaction was not stored because something in it had failed', async () => {
    const store = await opened(await postgresDatabase())
    const homeless = { ...company, tenantId: 'nobody' }
    const careless = store.transaction(async (tx) => {
      await tx.tenants.insert({ id: 't', name: 't', createdAt: 1 })
      await tx.companies.insert(homeless).catch(() => {})
    })
    await expect(careless).rejects.toThrow('was not stored')
    expect(await store.tenants.get('t')).toBeUndefined()
  })

  test('takes in what a gateway tells while a transaction is under way, but one batch of it at a time', async () => {
    const url = await postgresDatabase()
    const [store, other] = [await opened(url), await opened(url)]
    const seen: string[] = []
    const batch = (name: string) => async () => {
      seen.push(name)
      await setTimeout(30)
      seen.push(name)
    }
    await store.transaction(async () => {
      await Promise.all([store.ingest('g1', batch('one')), other.ingest('g1', batch('other'))])
      seen.push('transaction')
    })
    expect([seen[0] === seen[1], seen[2] === seen[3], seen[4]]).toEqual([true, true, 'transaction'])
  })

  test('does a batch again that lost a deadlock', async () => {
    const url = await postgresDatabase()
    const store = await opened(url)
    for (const id of ['t1', 't2']) await store.tenants.insert({ id, name: id, createdAt: 1 })
    let tries = 0
    const crossing = (source: string, ids: string[]) =>
      store.ingest(source, async (tx) => {
        tries++
        for (const id of ids) {
          await tx.companies.insert({ ...company, id: `${source}${id}`, oib: id })
          await setTimeout(100)
        }
      })
    const settled = await Promise.allSettled([crossing('a', ['1', '2']), crossing('b', ['2', '1'])])
    // One of the two has its rows, and the other met them when it was done again.
    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(tries).toBe(3)
    expect(settled.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { name: 'Duplicate' } })
  })

  test('does a transaction again that lost a deadlock against a batch', async () => {
    const url = await postgresDatabase()
    const store = await opened(url)
    const crossing = (ids: string[]) => async (tx: Parameters<Parameters<typeof store.transaction>[0]>[0]) => {
      for (const id of ids) {
        await tx.gateways.hear(id, 2)
        await setTimeout(150)
      }
    }
    for (const id of ['g1', 'g2']) {
      await query(url, `INSERT INTO gateways (id, tenant_id, name, created_at) VALUES ($1, 'default', $1, 1)`, [id])
    }
    // Whoever of the two is the one that loses: over several rounds it is each of them.
    for (let round = 0; round < 4; round++) {
      const [first, second] = round % 2 === 0 ? [100, 0] : [0, 100]
      await Promise.all([
        setTimeout(first).then(() => store.transaction(crossing(['g1', 'g2']))),
        setTimeout(second).then(() => store.ingest('g', crossing(['g2', 'g1']))),
      ])
    }
    expect(await query(url, 'SELECT last_seen_at FROM gateways')).toMatchObject([
      { last_seen_at: '2' },
      { last_seen_at: '2' },
    ])
  })

  test('of a newer fiskd is refused, naming it', async () => {
    const url = await postgresDatabase()
    await query(url, `INSERT INTO kysely_migration VALUES ('900-future', '2030')`)
    await query(url, 'INSERT INTO meta VALUES ($1, $2)', ['program', Buffer.from('9.4.0')])
    const refused = openStore(url, 1)
    await expect(refused).rejects.toBeInstanceOf(NewerDatabase)
    await expect(refused).rejects.toMatchObject({
      program: '9.4.0',
      schema: '900-future',
      known: '001-initial',
    })
  })

  test.each([
    [
      'a trigger that is disabled',
      'ALTER TABLE invoices DISABLE TRIGGER invoices_are_kept',
      'trigger invoices_are_kept',
    ],
    [
      'a trigger that is gone',
      'DROP TRIGGER sequences_only_rise ON sequences',
      'trigger sequences_only_rise is missing',
    ],
    [
      'a guard that refuses nothing',
      `CREATE OR REPLACE FUNCTION fiskd_refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RETURN NEW; END $$`,
      'trigger audit_log_keeps_entries is not the one fiskd made',
    ],
    [
      'a unique key that is gone',
      'ALTER TABLE print_jobs DROP CONSTRAINT print_jobs_pkey',
      'index print_jobs_pkey is missing',
    ],
    [
      'a column that takes nothing',
      'ALTER TABLE invoices ALTER seal DROP NOT NULL',
      'column invoices.seal is not the one',
    ],
    ['another order of text', 'ALTER TABLE devices ALTER label TYPE text', 'column devices.label is not the one'],
    ['a table that is lost with the power', 'ALTER TABLE leases SET UNLOGGED', 'table leases is not the one'],
    [
      'a rule that swallows rows',
      'CREATE RULE swallow AS ON INSERT TO audit_log DO INSTEAD NOTHING',
      "rule swallow is not fiskd's",
    ],
    [
      'a trigger of others',
      `CREATE TRIGGER theirs BEFORE INSERT ON audit_log EXECUTE FUNCTION fiskd_refuse('no')`,
      "trigger theirs is not fiskd's",
    ],
  ])('is not sold on with %s', async (_what, statement, problem) => {
    const url = await postgresDatabase()
    await query(url, statement)
    const refused = openStore(url, 1)
    await expect(refused).rejects.toBeInstanceOf(UnusableDatabase)
    await expect(refused).rejects.toThrow(problem)
  })

  test('may have tables and indexes of others in it', async () => {
    const url = await postgresDatabase()
    await query(url, 'CREATE TABLE theirs (id int); CREATE INDEX quicker ON invoices (jir)')
    expect(await (await opened(url)).care.schemaProblems()).toEqual([])
  })

  test('says what durability lacks', async () => {
    // The PostgreSQL of the tests does without: a power cut takes the whole of it.
    const problems = await (await opened(await postgresDatabase())).care.durabilityProblems()
    expect(problems).toEqual([
      expect.stringContaining('fsync is off'),
      expect.stringContaining('full_page_writes is off'),
    ])
  })

  test('waits for the disk even where the server or the account does not by default', async () => {
    const url = await postgresDatabase()
    await query(
      url,
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off', current_database()); END $$`,
    )
    expect(await query(url, 'SHOW synchronous_commit')).toEqual([{ synchronous_commit: 'off' }])
    expect((await (await opened(url)).care.durabilityProblems()).join()).not.toContain('synchronous_commit')
  })

  test('that nobody answers for is named, without its password', async () => {
    const refused = openStore('postgres://fiskd:secret@127.0.0.1:1/fiskd', 1).catch((error: Error) => error)
    const { message } = (await refused) as Error
    expect(message).toContain('postgres://127.0.0.1:1/fiskd')
    expect(message).not.toContain('secret')
    expect(isDamage(await refused)).toBe(false)
  })

  test('comes back by itself after the server has ended the connections', async () => {
    const url = await postgresDatabase()
    const store = await opened(url)
    await store.ping()
    await query(
      url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'fiskd'`,
    )
    await expect
      .poll(() =>
        store.ping().then(
          () => true,
          () => false,
        ),
      )
      .toBe(true)
  })
})
