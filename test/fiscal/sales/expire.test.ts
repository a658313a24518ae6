import { expect, test } from 'vitest'
import { createKeyedLock } from '../../../src/domain/keyed-lock.ts'
import { createExpiry } from '../../../src/fiscal/sales/expire.ts'
import { forBoth } from '../../support/clocks.ts'
import { startGateway } from '../../support/gateway.ts'

test('a backlog of a hundred sales expires at once, and nothing that is being sent does', async () => {
  const gateway = await startGateway()
  await gateway.cis.goDown()
  const sold = []
  for (let i = 0; i < 100; i++) sold.push((await gateway.sell()).id)
  gateway.clock.aheadMs = 31 * 86_400_000
  type List = { data: { id: string; status: string }[] }
  const listed = (await gateway.admin<List>('/v1/invoices?status=expired&limit=200')).body.data
  expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(sold))
  expect((await gateway.admin<List>('/v1/invoices?status=retrying')).body.data).toEqual([])
})

test('an invoice whose message is under way is left alone until the answer is there', async () => {
  const due = { id: 'inv_1', status: 'retrying', deadlineAt: 1 }
  const invoiceLock = createKeyedLock()
  const written: string[] = []
  const invoices = {
    byDeadline: async (status: string, _limit: number, { mode, after }: { mode?: string; after?: object }) =>
      status === 'retrying' && mode === 'test' && !after ? [due] : [],
    locked: async () => due,
    progress: async (_id: string, progress: { status: string }) => void written.push(progress.status),
  }
  const tx = { invoices, sales: { isElsewhere: async () => false } }
  const store = { invoices, transaction: (work: (on: object) => Promise<unknown>) => work(tx) }
  const expire = createExpiry({
    store: store as never,
    invoiceLock,
    clock: forBoth({ now: () => 2, proven: () => 2, present: () => ({}) as never }),
    onExpired: () => {},
  })
  let answer = () => {}
  const sending = invoiceLock.run('inv_1', () => new Promise<void>((resolve) => (answer = resolve)))
  await expire()
  expect(written).toEqual([])
  answer()
  await sending
  await expire()
  expect(written).toEqual(['expired'])
})
