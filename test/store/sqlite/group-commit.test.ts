import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { LOCAL_GATEWAY } from '../../../src/fiscal/ports/model.ts'
import { Duplicate, type StoreTransaction } from '../../../src/fiscal/ports/store.ts'
import { DEFAULT_TENANT, openStore } from '../../../src/store/store.ts'
import { OIBS } from '../../support/pki.ts'
import { mayMount, mountTmpfs } from '../../support/small-disk.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { commitsIn } from '../../support/wal.ts'

// The time that one commit may be waited for stands still: on a busy machine it would be over at once.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

async function freshStore(dir?: string) {
  const path = join(dir ?? (await tempDir()), 'fiskd.db')
  const store = await openStore(path, 1)
  onTestFinished(() => store.close())
  // Another program, which sees what is committed and nothing else.
  const other = new Database(path, { readonly: true })
  onTestFinished(() => void other.close())
  const committed = () => other.prepare('SELECT id FROM companies ORDER BY id').pluck().all()
  return { store, path, committed }
}

const company = (id: string, oib = id) => ({
  ...{ id, oib, gatewayId: LOCAL_GATEWAY, tenantId: DEFAULT_TENANT, name: 'Žuta čizma', vatRegistered: true },
  ...{ address: {}, fiscalConfig: {}, mode: 'test' as const, status: 'active' as const, createdAt: 2 },
})

const add = (id: string, oib?: string) => async (tx: StoreTransaction) => {
  await tx.companies.insert(company(id, oib))
  return id
}

test('transactions that wait at the same moment share one commit', async () => {
  const { store, path, committed } = await freshStore()
  const before = commitsIn(path)
  const told = await Promise.all(['a', 'b', 'c', 'd'].map((id) => store.transaction(add(id))))
  expect(told).toEqual(['a', 'b', 'c', 'd'])
  expect(committed()).toEqual(['a', 'b', 'c', 'd'])
  expect(commitsIn(path) - before).toBe(1)
})

test('one after another each has a commit of its own', async () => {
  const { store, path } = await freshStore()
  const before = commitsIn(path)
  for (const id of ['a', 'b', 'c']) await store.transaction(add(id))
  expect(commitsIn(path) - before).toBe(3)
})

test('nobody is told before the common commit, and nobody sees anything of it before', async () => {
  const { store, committed } = await freshStore()
  const told: unknown[] = []
  const first = store.transaction(add('a')).then((id) => told.push(id, committed()))
  const second = store.transaction(async (tx) => {
    await setTimeout(30)
    expect([told, committed(), await store.companies.all()]).toEqual([[], [], []])
    // Inside, what came before it in the same commit is there.
    expect((await tx.companies.get('a'))?.id).toBe('a')
    return add('b')(tx)
  })
  await Promise.all([first, second])
  expect(told).toEqual(['a', ['a', 'b']])
})

test('a transaction that is over takes nothing more, also while another one is under way', async () => {
  const { store, committed } = await freshStore()
  let over: StoreTransaction | undefined
  await store.transaction(async (tx) => {
    over = tx
    await add('a')(tx)
  })
  const kept = { scope: 's', key: 'k', requestHash: 'h', invoiceId: null, response: null }
  await store.transaction(async (tx) => {
    await expect(over?.idempotency.insert(kept, 1)).rejects.toThrow('already committed')
    await expect(over?.idempotency.get('s', 'k', null)).rejects.toThrow('already committed')
    await add('b')(tx)
  })
  expect(await store.idempotency.get('s', 'k', null)).toBeUndefined()
  expect(committed()).toEqual(['a', 'b'])
})

test('a store that is closed is neither read nor opened anew', async () => {
  const path = join(await tempDir(), 'fiskd.db')
  const store = await openStore(path, 1)
  await store.close()
  await expect(store.idempotency.get('s', 'k', null)).rejects.toThrow('destroyed')
  expect(existsSync(`${path}-wal`)).toBe(false)
})

test('a transaction that waits while its store is closed is refused, and stores nothing', async () => {
  const path = join(await tempDir(), 'fiskd.db')
  const store = await openStore(path, 1)
  const late = store.transaction(add('a'))
  await store.close()
  await expect(late).rejects.toThrow('destroyed')
  const database = new Database(path)
  onTestFinished(() => void database.close())
  expect(database.prepare('SELECT count(*) FROM companies').pluck().get()).toBe(0)
})

test('what kysely runs in a transaction fails and is rolled back with it', async () => {
  const { store, committed } = await freshStore()
  const failed = store.transaction(async (tx) => {
    await tx.companies.update('nobody', { name: 'x' })
    await add('a')(tx)
    return add('a')(tx)
  })
  await expect(failed).rejects.toBeInstanceOf(Duplicate)
  expect(committed()).toEqual([])
  await store.transaction(add('a'))
  expect(committed()).toEqual(['a'])
})

test('of one that fails nothing is left, and the others stand', async () => {
  const { store, committed } = await freshStore()
  const works = [
    store.transaction(add('a')),
    store.transaction(async (tx) => {
      await add('half')(tx)
      throw new Error('changed its mind')
    }),
    store.transaction(add('taken', 'a')),
    store.transaction(add('b')),
  ]
  const [first, failed, taken, last] = await Promise.allSettled(works)
  expect([first, last]).toMatchObject([{ value: 'a' }, { value: 'b' }])
  expect(failed).toMatchObject({ reason: new Error('changed its mind') })
  expect((taken as PromiseRejectedResult).reason).toBeInstanceOf(Duplicate)
  expect(committed()).toEqual(['a', 'b'])
})

test('when the first of them fails it is told its own error, and the others stand', async () => {
  const { store, path, committed } = await freshStore()
  const before = commitsIn(path)
  const works = [
    store.transaction(async (tx) => {
      await add('half')(tx)
      throw new Error('changed its mind')
    }),
    store.transaction(add('a')),
    store.transaction(add('taken', 'a')),
    store.transaction(add('b')),
  ]
  const told = await Promise.allSettled(works)
  expect(told[0]).toMatchObject({ reason: new Error('changed its mind') })
  expect((told[2] as PromiseRejectedResult).reason).toBeInstanceOf(Duplicate)
  expect([told[1], told[3]]).toMatchObject([{ value: 'a' }, { value: 'b' }])
  expect(committed()).toEqual(['a', 'b'])
  expect(commitsIn(path) - before).toBe(1)
})

test('when SQLite rolls the first back by itself and it hides that, the others are stored, each once', async () => {
  const { store, path, committed } = await freshStore()
  const other = new Database(path)
  other.exec(`CREATE TRIGGER full BEFORE INSERT ON companies WHEN NEW.id = 'full'
    BEGIN SELECT RAISE(ROLLBACK, 'as a full disk does'); END`)
  other.close()
  const told = await Promise.allSettled([
    store.transaction((tx) => add('full')(tx).catch(() => 'hidden')),
    store.transaction(add('a')),
    store.transaction(add('b')),
  ])
  expect(told.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
  expect(committed()).toEqual(['a', 'b'])
})

test('one that comes while others wait for their commit is not forgotten', async () => {
  const { store, committed } = await freshStore()
  const late: Promise<string>[] = []
  await store.transaction(async (tx) => {
    late.push(store.transaction(add('b')))
    return add('a')(tx)
  })
  late.push(store.transaction(add('c')))
  expect(await Promise.all(late)).toEqual(['b', 'c'])
  expect(committed()).toEqual(['a', 'b', 'c'])
})

test.skipIf(!mayMount())('when the common commit fails all have failed, and the next ones are stored', async () => {
  const disk = mountTmpfs(4)
  onTestFinished(() => disk.close())
  const { store, committed } = await freshStore(disk.path)
  disk.leave(0)
  const big = (id: string) => (tx: StoreTransaction) =>
    tx.companies.insert({ ...company(id), name: 'x'.repeat(500_000) })
  const failed = await Promise.allSettled([store.transaction(big('a')), store.transaction(big('b'))])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(committed()).toEqual([])
  disk.makeRoom()
  expect(await Promise.all(['c', 'd'].map((id) => store.transaction(add(id))))).toEqual(['c', 'd'])
  expect(committed()).toEqual(['c', 'd'])
})

/** In a process of its own: SQLite reads once where temporary files go. */
const CHANGE_A_LOT = `
  const [{ openStore }, path] = [await import(process.env.STORE), process.env.DATABASE]
  const store = await openStore(path, 1)
  const company = JSON.parse(process.env.COMPANY)
  // Each on a page of its own, so that a savepoint has a lot to put back.
  const ids = Array.from({ length: 60 }, (_, i) => 'c' + i)
  for (const id of ids) await store.companies.insert({ ...company, id, oib: id, name: 'x'.repeat(3000) })
  await store.transaction(async (tx) => {
    for (const id of ids) await tx.companies.update(id, { name: 'y'.repeat(3000) })
  })
  console.log((await store.companies.get('c59')).name.slice(0, 3))
  await store.close()`

test.skipIf(!mayMount())('a transaction needs no room in the temporary folder of the system', async () => {
  const disk = mountTmpfs(1)
  onTestFinished(() => disk.close())
  disk.leave(0)
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '-e', CHANGE_A_LOT],
    {
      encoding: 'utf8',
      env: {
        ...process.env,
        SQLITE_TMPDIR: disk.path,
        STORE: join(import.meta.dirname, '../../../src/store/store.ts'),
        DATABASE: join(await tempDir(), 'fiskd.db'),
        COMPANY: JSON.stringify(company('c')),
      },
    },
  )
  expect([stdout, stderr]).toEqual(['yyy\n', ''])
})

test('a read waits for no transaction that is under way', async () => {
  const { store } = await freshStore()
  await store.companies.insert(company('a', OIBS[0]))
  let isOver = false
  const slow = store.transaction(async (tx) => {
    await tx.companies.update('a', { name: 'Crvena čizma' })
    await setTimeout(50)
    isOver = true
  })
  expect([(await store.companies.get('a'))?.name, isOver]).toEqual(['Žuta čizma', false])
  await slow
  expect((await store.companies.get('a'))?.name).toBe('Crvena čizma')
})

test('a write outside of a transaction waits for the one that is under way', async () => {
  const { store, committed } = await freshStore()
  const slow = store.transaction(async (tx) => {
    await setTimeout(30)
    return add('a')(tx)
  })
  await store.companies.insert(company('b'))
  expect(committed()).toEqual(['a', 'b'])
  await slow
})
