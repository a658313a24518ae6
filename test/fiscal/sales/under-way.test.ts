import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { earlierUse } from '../../../src/fiscal/sales/idempotency.ts'
import { takeOverInterrupted } from '../../../src/fiscal/sales/recover-pending.ts'
import { unsentProgress } from '../../../src/fiscal/sales/submit.ts'
import { openStore } from '../../../src/store/store.ts'
import { startGateway } from '../../support/gateway.ts'
import { tempDir } from '../../support/temp-dir.ts'

async function opened(path: string) {
  const store = await openStore(path, 1)
  onTestFinished(() => store.close())
  return store
}

test('whoever takes an invoice up finds it as a transaction under way will leave it', async () => {
  const gateway = await startGateway()
  gateway.cis.misbehave({ error: 's002' })
  const { id } = await gateway.sell()
  const store = await opened(gateway.database)
  const requeue = store.transaction(async (tx) => {
    const invoice = await tx.invoices.get(id)
    if (!invoice) throw new Error('it was sold')
    await tx.invoices.progress(id, unsentProgress({ ...invoice, status: 'retrying' }, 'put back'))
    await setTimeout(30)
  })
  expect(await takeOverInterrupted(store, id)).toMatchObject({ status: 'retrying', errorMessage: 'put back' })
  await requeue
})

test('a key is not forgotten while its hours begin anew', async () => {
  const store = await opened(join(await tempDir(), 'fiskd.db'))
  const use = { scope: 'key of a machine', mode: null, key: 'sale 1', requestHash: 'hash' }
  const now = 72 * 3_600_000
  const { mode: _, ...key } = use
  await store.idempotency.insert({ ...key, createdAt: 1, invoiceId: null, response: { status: 201, body: '{}' } })
  expect(await earlierUse(store, use, now)).toBeUndefined()
  const leap = store.transaction(async (tx) => {
    await tx.idempotency.restart(0, now, 'live')
    await setTimeout(30)
  })
  expect(await earlierUse(store, use, now)).toMatchObject({ response: { status: 201 }, createdAt: now })
  await leap
})
