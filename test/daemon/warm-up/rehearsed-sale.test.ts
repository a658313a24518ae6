import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createChainValidator } from '../../../src/certificates/chain.ts'
import { createTaxAuthority } from '../../../src/cis/client.ts'
import { createLog } from '../../../src/daemon/lifecycle/log.ts'
import { rehearsedSale } from '../../../src/daemon/warm-up/rehearsed-sale.ts'
import { createWarmUp } from '../../../src/daemon/warm-up/warm-up.ts'
import { authorizeDevice } from '../../../src/fiscal/sales/fiscalize.ts'
import type { UseCases } from '../../../src/fiscal/use-cases.ts'
import { openStore } from '../../../src/store/store.ts'
import { forBoth, presentAt } from '../../support/clocks.ts'
import { type Gateway, startGateway } from '../../support/gateway.ts'
import { pki } from '../../support/pki.ts'
import { rowCounts } from '../../support/row-counts.ts'

/** The steps on the database of a gateway that stands still, and everything that they could leave behind. */
async function rehearsalOf(gateway: Gateway) {
  await gateway.stop()
  const store = await openStore(gateway.database, Date.now())
  const logged: string[] = []
  const log = createLog('trace', { write: (line) => void logged.push(line) })
  const authority = createTaxAuthority({
    urls: { test: gateway.cis.url, live: gateway.cis.url },
    trust: { certificates: () => pki.bundleDer },
    chains: createChainValidator(),
    present: () => presentAt(Date.now()),
  })
  onTestFinished(() => authority.close())
  const now = () => Date.now()
  const useCases: Pick<UseCases, 'authorizeDevice'> = {
    authorizeDevice: (principal, id) => authorizeDevice(store, principal, id),
  }
  const unsealed: string[] = []
  const steps = rehearsedSale({
    store,
    clock: forBoth({ now, present: () => presentAt(now()), proven: now, keyTime: now, since: now }),
    authority,
    identities: {
      of(company, certificate) {
        unsealed.push(company.id)
        // Never used: a rehearsal signs with a key of its own.
        return { certificateId: certificate?.id ?? '', privateKey: null as never, certificateDer: Buffer.alloc(0) }
      },
      current: () => Promise.reject(new Error('not asked for')),
    },
    lookAtDisk: async () => ({ room: 'everything', freeBytes: null }),
    log,
    useCases: useCases as UseCases,
  })
  return { steps, store, logged, unsealed }
}

/** The bytes of the database, without its index of the log: that only says who reads. */
const bytesOf = ({ database }: Gateway) => ['', '-wal'].map((end) => readFileSync(`${database}${end}`))

test('a rehearsed sale goes the whole way, and leaves nothing behind, nor garbage', async () => {
  vi.stubGlobal('gc', () => 'collected')
  onTestFinished(() => void vi.unstubAllGlobals())
  const gateway = await startGateway()
  const sold = await gateway.sell()
  const { steps, store, logged, unsealed } = await rehearsalOf(gateway)
  // A write first, so that there is a log whose bytes can be compared.
  await store.meta.keep('of_this_test', Buffer.from('1'))
  const before = { bytes: bytesOf(gateway), rows: rowCounts(gateway), received: gateway.cis.received.length }
  const results: unknown[] = []
  for await (const step of steps) results.push(await step())
  expect(results).toEqual([200, 200, 200, 200, 'collected'])
  expect(unsealed).toEqual([gateway.companyId])
  expect({ bytes: bytesOf(gateway), rows: rowCounts(gateway), received: gateway.cis.received.length }).toEqual(before)
  expect(logged).toEqual([])
  await store.close()
  await gateway.restart()
  // The next number is the one after the sale.
  expect(await gateway.sell()).toMatchObject({ number: String(Number(sold.number) + 1), status: 'confirmed' })
})

test('the first sale of a year can be rehearsed, too', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  await gateway.stop()
  const database = new Database(gateway.database)
  const trigger = "SELECT sql FROM sqlite_master WHERE name = 'numbering_levels_are_kept'"
  const keeping = database.prepare(trigger).pluck().get()
  database.exec(`DROP TRIGGER numbering_levels_are_kept; DELETE FROM numbering_levels; ${keeping}`)
  database.close()
  const { steps, store } = await rehearsalOf(gateway)
  const results: unknown[] = []
  for await (const step of steps) results.push(await step())
  expect(results).toEqual([200, 200, 200, 200, undefined])
  await store.close()
})

test('a machine that has never sold has nothing to rehearse', async () => {
  const { steps, store } = await rehearsalOf(await startGateway())
  expect((await steps.next()).done).toBe(true)
  await store.close()
})

test('a gateway that was started again does not sell, send, or count anything by itself', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  await gateway.restart()
  const rows = rowCounts(gateway)
  const counters = async () => {
    const { text } = await gateway.admin('/metrics')
    return text.split('\n').filter((line) => /^fiskd_\w+_total\b/.test(line) && !/http|scrape/.test(line))
  }
  const before = await counters()
  await pause(1500)
  expect(await counters()).toEqual(before)
  expect(rowCounts(gateway).invoices).toBe(rows.invoices)
  expect(rowCounts(gateway).outbox).toBe(rows.outbox)
  expect(gateway.cis.received).toHaveLength(1)
})

test('the first sale ends the warm-up: a customer never waits for more than one step', async () => {
  let sales = 0
  const done: number[] = []
  const warmUp = createWarmUp({
    sales: () => sales,
    steps: () =>
      Array.from({ length: 5 }, (_, index) => async () => {
        done.push(index)
        if (index === 1) sales++
      }),
  })
  const { first, ended } = warmUp.start()
  await first
  expect(done).toEqual([0])
  expect(await ended).toBe(true)
  expect(done).toEqual([0, 1])
})

test('a step that fails ends the warm-up, and nothing else', async () => {
  const done: string[] = []
  const fail = () => Promise.reject(new Error('the disk is full'))
  const warmUp = createWarmUp({ sales: () => 0, steps: () => [fail, async () => done.push('next')] })
  const { first, ended } = warmUp.start()
  await first
  expect(await ended).toBe(false)
  expect(done).toEqual([])
})

test('who waits for the first step does not wait where there is none', async () => {
  const { first, ended } = createWarmUp({ sales: () => 0, steps: () => [] }).start()
  await first
  expect(await ended).toBe(false)
})
