import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LOCAL_GATEWAY } from '../../../src/fiscal/ports/model.ts'
import { DEFAULT_TENANT, openStore } from '../../../src/store/store.ts'
import { createRefusals } from '../../../src/sync/gateway/refusals.ts'
import { enrolment } from '../../support/enrolments.ts'
import { fleet, withoutLogo } from '../../support/sync-rows.ts'
import { tempDir } from '../../support/temp-dir.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NOW = 1_790_000_000_000

/** Invoices that the server has refused at these moments. */
async function refusedAt(...moments: number[]) {
  const store = await openStore(join(await tempDir(), 'fiskd.db'), 1)
  onTestFinished(() => store.close())
  await store.enrolment.put(enrolment())
  const rows = fleet()
  const owner = { tenantId: DEFAULT_TENANT, gatewayId: LOCAL_GATEWAY }
  await store.companies.insert({ ...withoutLogo(rows.company), ...owner })
  await store.certificates.insert({ ...rows.certificate, sealedKey: Buffer.from('') })
  await store.devices.insert({ ...rows.device, ...owner })
  const ids: string[] = []
  await store.transaction(async (tx) => {
    for (const [index, refusedAt] of moments.entries()) {
      const invoice = rows.invoice(index + 1)
      ids.push(invoice.id)
      await tx.invoices.insert({ ...invoice, ...owner })
      const refusal = { kind: 'invoice', id: invoice.id, version: 1, code: 'c', message: 'm', refusedAt } as const
      await tx.enrolment.refusals.put([refusal])
    }
  })
  const time = { now: NOW, elapsed: 0 }
  const refusals = createRefusals({
    ...{ store, quiet: async () => {}, now: () => time.now, elapsed: () => time.elapsed },
  })
  /** What is to be told because of this work. */
  async function sent(work: () => Promise<void>): Promise<string[]> {
    const before = await store.outbox.last()
    await work()
    return (await store.outbox.after(before, 1000)).map(({ id }) => id)
  }
  return { ids, refusals, time, sent }
}

test('all of it is sent again, whatever the clock showed when it was refused', async () => {
  const moments = Array.from({ length: 450 }, (_, index) => NOW + (index - 225) * DAY_MS)
  const { ids, refusals, sent } = await refusedAt(...moments)
  expect((await sent(refusals.sendAll)).sort()).toEqual([...ids].sort())
  expect(await sent(refusals.sendAll)).toHaveLength(450)
})

test('once a day goes what was refused a day ago, or at a time that has not come', async () => {
  const { ids, refusals, time, sent } = await refusedAt(NOW - 2 * DAY_MS, NOW - HOUR_MS, NOW + 365 * DAY_MS)
  expect((await sent(refusals.sendDue)).sort()).toEqual([ids[0], ids[2]].sort())
  time.elapsed = HOUR_MS
  time.now += 2 * HOUR_MS
  expect(await sent(refusals.sendDue)).toEqual([])
  time.elapsed += DAY_MS
  time.now += DAY_MS
  expect(await sent(refusals.sendDue)).toHaveLength(3)
})

test('a clock that is put back keeps nobody from looking every hour', async () => {
  const { refusals, time, sent } = await refusedAt(NOW)
  expect(await sent(refusals.sendDue)).toEqual([])
  time.now -= 365 * DAY_MS
  time.elapsed = HOUR_MS - 1
  expect(await sent(refusals.sendDue)).toEqual([])
  time.elapsed = HOUR_MS
  expect(await sent(refusals.sendDue)).toHaveLength(1)
})
