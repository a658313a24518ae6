import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DatabaseAway } from '../../../src/fiscal/ports/store.ts'
import { openStore } from '../../../src/store/store.ts'
import { overLink, postgresDatabase, query, skipWithoutPostgres } from '../../support/postgres.ts'

async function storeOverLink() {
  const direct = await postgresDatabase()
  const { url, link } = await overLink(direct)
  const store = await openStore(url, 1)
  onTestFinished(() => store.close())
  return { direct, store, link }
}

/** How long the work takes to fail, in milliseconds, and how. */
async function failure(work: Promise<unknown>) {
  const began = performance.now()
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return { error, ms: performance.now() - began }
}

const tenant = (id: string) => ({ id, name: id, createdAt: 1 })

describe.skipIf(skipWithoutPostgres)('a store whose PostgreSQL', () => {
  test('breaks its connections repeats reads and transactions, and nobody notices', async () => {
    const { direct, store, link } = await storeOverLink()
    for (let i = 0; i < 10; i++) {
      link.cutAfter(40 * (i + 1), i % 2 ? 'client' : 'server')
      expect(await store.tenants.list()).toHaveLength(i + 1)
      await store
        .transaction(async (tx) => {
          await tx.tenants.insert(tenant(`t${i}`))
          link.cutAfter(20, 'client')
        })
        .catch((error: unknown) => {
          // Cut in the commit itself: whether it is stored has to be asked.
          expect(error).toBeInstanceOf(DatabaseAway)
        })
      if (!(await store.tenants.get(`t${i}`))) await store.tenants.insert(tenant(`t${i}`))
    }
    expect(await query(direct, 'SELECT count(*)::int AS count FROM tenants')).toEqual([{ count: 11 }])
  })

  test('cannot be reached says so within five seconds, and is back by itself', async () => {
    const { store, link } = await storeOverLink()
    const told: string[] = []
    store.reach.onAway(() => told.push('away'))
    store.reach.onBack(() => told.push('back'))
    link.goDown()
    const asked = [
      store.tenants.list(),
      store.transaction((tx) => tx.tenants.list()),
      store.tenants.insert(tenant('t')),
    ]
    for (const { error, ms } of await Promise.all(asked.map(failure))) {
      expect(error).toBeInstanceOf(DatabaseAway)
      expect(ms).toBeLessThan(5000)
    }
    expect([store.reach.away()?.problem, ...told]).toEqual(['cannot be reached', 'away'])
    // Known to be away for long: nobody waits.
    expect((await failure(store.tenants.list())).ms).toBeLessThan(500)
    link.comeBack()
    await store.reach.back()
    expect(told).toEqual(['away', 'back'])
    expect(await store.tenants.list()).toHaveLength(1)
  })

  test('falls silent in the middle of something is away within five seconds, too', async () => {
    const { store, link } = await storeOverLink()
    const under = failure(
      store.transaction(async (tx) => {
        link.fallSilent()
        await tx.tenants.insert(tenant('t'))
      }),
    )
    const { error, ms } = await under
    expect(error).toBeInstanceOf(DatabaseAway)
    expect(ms).toBeLessThan(5000)
    link.comeBack()
    await store.reach.back()
    expect(await store.tenants.list()).toHaveLength(1)
  })

  test('is away for a moment only keeps whoever asks waiting', async () => {
    const { store, link } = await storeOverLink()
    link.goDown()
    const asked = store.tenants.list()
    await setTimeout(1000)
    link.comeBack()
    expect(await asked).toHaveLength(1)
  })

  test('takes long over a row that another transaction has locked is not away', async () => {
    const { store } = await storeOverLink()
    let away = false
    store.reach.onAway(() => {
      away = true
    })
    await store.tenants.insert(tenant('t'))
    const first = store.transaction(async (tx) => {
      await tx.subjects.hold('mails')
      await setTimeout(4000)
    })
    await setTimeout(50)
    await Promise.all([first, store.transaction((tx) => tx.subjects.hold('mails'))])
    expect(away).toBe(false)
  })
})
