import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { type OpenStore, openStore } from '../../src/store/store.ts'
import { query } from './postgres.ts'

/** A store on a PostgreSQL database, as another process that shares the database has it. */
export async function processOn(url: string): Promise<OpenStore> {
  const store = await openStore(url, 1)
  onTestFinished(() => store.close())
  return store
}

/** What became of two pieces of work at the same time. */
export type Overlapped = [PromiseSettledResult<unknown>, PromiseSettledResult<unknown>]

/**
 * Runs two pieces of work on one database, as two processes do. The first stops in the middle of its transaction, until
 * the second is done or waits for it.
 * @param after the call after which the first stops, once, for example `apiKeys.get`
 */
export async function overlap(
  url: string,
  after: string,
  first: (store: OpenStore) => Promise<unknown>,
  second: (store: OpenStore) => Promise<unknown>,
): Promise<Overlapped> {
  const [one, other] = [await processOn(url), await processOn(url)]
  const { store, reached, goOn } = stoppingAfter(one, after)
  const settled: { first: boolean; second: boolean } = { first: false, second: false }
  const begun = first(store).finally(() => {
    settled.first = true
  })
  begun.catch(() => {})
  await Promise.race([reached, begun.catch(() => {})])
  expect(settled.first, `the first never came to ${after}`).toBe(false)
  const following = second(other).finally(() => {
    settled.second = true
  })
  following.catch(() => {})
  while (!settled.second && !(await isWaiting(url))) await setTimeout(10)
  goOn()
  return (await Promise.allSettled([begun, following])) as Overlapped
}

/** Whether a transaction in the database waits for another one. */
async function isWaiting(url: string): Promise<boolean> {
  const waiting = await query(
    url,
    `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return waiting.length > 0
}

function stoppingAfter(store: OpenStore, after: string) {
  let reach = () => {}
  let goOn = () => {}
  const reached = new Promise<void>((resolve) => {
    reach = resolve
  })
  const gate = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const wrap = <T extends object>(target: T, path: string): T =>
    new Proxy(target, {
      get(of, name) {
        const value = Reflect.get(of, name) as unknown
        const here = `${path}${String(name)}`
        if (typeof value === 'object' && value !== null) return wrap(value, `${here}.`)
        if (here !== after || typeof value !== 'function') return value
        return async (...given: unknown[]) => {
          const answer: unknown = await Reflect.apply(value, of, given)
          reach()
          await gate
          return answer
        }
      },
    })
  const stopping: OpenStore = {
    ...store,
    transaction: (work) => store.transaction((tx) => work(wrap(tx, ''))),
    ingest: (source, work) => store.ingest(source, (tx) => work(wrap(tx, ''))),
  }
  return { store: stopping, reached, goOn }
}
