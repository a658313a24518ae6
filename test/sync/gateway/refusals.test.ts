import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LOCAL_GATEWAY } from '../../../src/fiscal/ports/model.ts'
import { DEFAULT_TENANT, openStore } from '../../../src/store/store.ts'
import { createRefusals } from '../../../src/sync/gateway/refusals.ts'
import { enrolment } from '../../support/enrolments.ts'
import { fleet, withoutLogo } from '../../support/sync-rows.ts'
import { tempDir } from '../../support/temp-dir.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS
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
  return { ids, store, refusals, time, sent }
}

test('all of it is sent again, whatever the clock showed when it was refused', async () => {
  const moments = Array.from({ length: 450 }, (_, index) => NOW + (index - 225) * DAY_MS)
  const { ids, refusals, sent } = await refusedAt(...moments)
  expect((await sent(refusals.sendAll)).sort()).toEqual([...ids].sort())
  expect(await sent(refusals.sendAll)).toHaveLength(450)
})

test('what is set aside goes again after five minutes, then after twice as long each time, at most a day', async () => {
  const { refusals, time, sent } = await refusedAt(NOW)
  const minutes: number[] = []
  for (let minute = 1; minute <= 5 * 1440; minute++) {
    time.elapsed += MINUTE_MS
    time.now += MINUTE_MS
    if ((await sent(refusals.sendDue)).length > 0) minutes.push(minute)
  }
  expect(minutes).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 4000, 5440, 6880])
})

test('a row that is refused again keeps its pause, and one that was taken in between begins anew', async () => {
  const { ids, store, refusals, time, sent } = await refusedAt(NOW - 60 * MINUTE_MS)
  const again = { kind: 'invoice', id: String(ids[0]), version: 2, code: 'd', message: 'm', refusedAt: NOW } as const
  await store.enrolment.refusals.put([again])
  time.now += 59 * MINUTE_MS
  expect(await sent(refusals.sendDue)).toEqual([])
  await store.enrolment.refusals.remove([again])
  expect(await store.enrolment.refusals.has(again)).toBe(false)
  await store.enrolment.refusals.put([again])
  time.elapsed += MINUTE_MS
  expect(await sent(refusals.sendDue)).toEqual(ids)
})

test('a clock that is put back keeps nobody from looking every minute, and what it has not reached goes at once', async () => {
  const { refusals, time, sent } = await refusedAt(NOW)
  expect(await sent(refusals.sendDue)).toEqual([])
  time.now -= 365 * DAY_MS
  time.elapsed = MINUTE_MS - 1
  expect(await sent(refusals.sendDue)).toEqual([])
  time.elapsed = MINUTE_MS
  expect(await sent(refusals.sendDue)).toHaveLength(1)
})
