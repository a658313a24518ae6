import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { takeOverInterrupted } from '../../../src/fiscal/sales/recover-pending.ts'
import { unsentProgress } from '../../../src/fiscal/sales/submit.ts'
import { openStore } from '../../../src/store/store.ts'
import { startGateway } from '../../support/gateway.ts'

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
