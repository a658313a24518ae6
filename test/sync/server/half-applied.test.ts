import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { addGateway } from '../../../src/fiscal/gateways/gateways.ts'
import type { SyncRecord } from '../../../src/fiscal/ports/outbox.ts'
import type { Store } from '../../../src/fiscal/ports/store.ts'
import { openStore } from '../../../src/store/store.ts'
import { ingest } from '../../../src/sync/server/ingest.ts'
import { encodeRecord } from '../../../src/sync/wire/records.ts'
import { largestSale } from '../../support/large-rows.ts'
import { OPERATOR } from '../../support/people.ts'
import { fleet, record } from '../../support/sync-rows.ts'
import { makeTempDir } from '../../support/temp-dir.ts'

const SESSION = '00000000-0000-4000-8000-000000000001'

async function server() {
  const store = await openStore(join(await makeTempDir(onTestFinished), 'fiskd.db'), 0)
  onTestFinished(() => store.close())
  const deps = { store, clock: { now: Date.now }, newUuid: randomUUID, caHash: async () => Buffer.alloc(32) }
  const { gateway } = await addGateway(deps, OPERATOR, { name: 'kiosk', again: false })
  await store.gateways.update(gateway.id, { session: SESSION })
  const push = async (through: Store, records: readonly SyncRecord[], quiet = async () => {}) =>
    ingest(
      { store: through, now: Date.now, quiet, onRefused: async () => {}, onConflicts: async () => {} },
      (await store.gateways.get(gateway.id)) ?? gateway,
      SESSION,
      { after: 0, position: Math.max(...records.map(({ version }) => version)), records: records.map(encodeRecord) },
    )
  return { store, gateway, push }
}

test('a batch of which a crash has stored a part is told again, and all of it is there once', async () => {
  const { store, gateway, push: pushed } = await server()
  const { parents, invoice, message } = fleet()
  const sales = Array.from({ length: 600 }, (_, i) => invoice(i + 1))
  const records = [
    ...parents(),
    ...sales.flatMap((one) => [record('invoice', one), record('message', message(one.id))]),
  ]
  const position = Math.max(...records.map(({ version }) => version))
  const told = (through: Store) => pushed(through, records)

  let slices = 0
  const dying: Store = {
    ...store,
    ingest: (source, work) =>
      ++slices > 2 ? Promise.reject(new Error('the power is gone')) : store.ingest(source, work),
  }
  await expect(told(dying)).rejects.toThrow('the power is gone')
  expect((await store.gateways.get(gateway.id))?.position).toBe(0)
  expect(await store.invoices.get(String(sales[0]?.id))).toBeDefined()
  // Messages come after all invoices.
  expect((await store.messages.trail(String(sales[599]?.id))).messages).toEqual([])

  expect(await told(store)).toEqual({ position, refused: [], conflicts: [] })
  for (const { id, jir } of sales) {
    expect(await store.invoices.get(id)).toMatchObject({ gatewayId: gateway.id, jir })
    expect((await store.messages.trail(id)).messages).toHaveLength(1)
  }
})

test('a push of large sales is stored 128 KB at a time, so that no sale at the server waits for all of it', async () => {
  const { store, push } = await server()
  const of = fleet()
  const sales = Array.from({ length: 15 }, (_, i) => largestSale(of, i + 1))
  let slices = 0
  const counting: Store = {
    ...store,
    ingest(source, work) {
      slices++
      return store.ingest(source, work)
    },
  }
  const records = [...of.parents(), ...sales.map((sale) => record('invoice', sale))]
  expect(await push(counting, records)).toMatchObject({ refused: [] })
  expect(slices).toBe(16)
  for (const { id } of sales) expect(await store.invoices.get(id)).toBeDefined()
})

test('each part of a push waits for the sales that are under way at the server', async () => {
  const { store, push } = await server()
  const of = fleet()
  const sale = Promise.withResolvers<void>()
  const records = [...of.parents(), record('invoice', largestSale(of, 1))]
  const pushed = push(store, records, () => sale.promise)
  await setTimeout(200)
  expect(await store.companies.get(of.company.id)).toBeUndefined()
  sale.resolve()
  expect(await pushed).toMatchObject({ refused: [] })
  expect(await store.companies.get(of.company.id)).toBeDefined()
})
