import { expect, test } from 'vitest'
import { unavailable } from '../../../src/cis/answer/outcome.ts'
import { UNPROVEN_ANSWER } from '../../../src/domain/sale/invoice.ts'
import type { TaxAuthority } from '../../../src/fiscal/ports/tax-authority.ts'
import { createLiveSales } from '../../../src/fiscal/sales/live-sales.ts'
import { nothingAlong, type Submitter } from '../../../src/fiscal/sales/submit.ts'
import { createSweep } from '../../../src/fiscal/sales/sweep.ts'
import type { UnsentInvoices } from '../../../src/fiscal/sales/unsent-invoices.ts'
import { sellingIn, watched } from '../../support/alerting.ts'
import { forBoth, presentAt } from '../../support/clocks.ts'

const MINUTE_MS = 60_000

/** A queue of invoices whose answers were not believed, and one of a later sale that nobody has answered. */
async function sweepOf(unproven: number, onRead: (reads: number) => void = () => {}) {
  const { store, time } = await watched()
  const { sell } = await sellingIn(store, time.now)
  for (let i = 0; i < unproven; i++) await sell({ errorMessage: `${UNPROVEN_ANSWER}: x.` })
  const other = await sell({ occurredAt: time.now + MINUTE_MS })
  let reads = 0
  const counted = <A extends unknown[], R>(read: (...asked: A) => R) => {
    return (...asked: A) => {
      onRead(++reads)
      return read(...asked)
    }
  }
  const { waiting, byDeadline } = store.invoices
  const invoices = { ...store.invoices, waiting: counted(waiting), byDeadline: counted(byDeadline) }
  const sent: string[] = []
  const sweep = createSweep({
    store: { ...store, invoices },
    authority: { echo: async () => ({ reachable: true }) } as unknown as TaxAuthority,
    clock: forBoth({ present: () => presentAt(time.now) }),
    waiting: {
      withUnsentInvoice: async (id, send) => send((await store.invoices.get(id)) as never),
      identityOf: async () => ({}) as never,
    } satisfies UnsentInvoices,
    submitter: {
      async resend(invoice) {
        sent.push(invoice.id)
        return { invoice, along: nothingAlong(), outcome: unavailable('nobody answers'), reached: false }
      },
    } as Pick<Submitter, 'resend'> as Submitter,
    ...{ invoiceLock: store.invoiceLock, liveSales: createLiveSales(), atOnce: 1 },
    reportFault: ({ error }) => expect.unreachable(String(error)),
  })
  return { sweep, sent, other, reads: () => reads }
}

test('a pass reads past many invoices of the other part in slices', async () => {
  const { sweep, sent, other, reads } = await sweepOf(1000)
  await sweep(new AbortController().signal)
  expect(sent).toHaveLength(11)
  expect(sent[0]).toBe(other.id)
  expect(reads()).toBeLessThan(20)
})

test('a pass that is to end does so while it reads past invoices of the other part', async () => {
  const stopping = new AbortController()
  const { sweep, sent, reads } = await sweepOf(1000, (count) => {
    if (count === 4) stopping.abort()
  })
  await sweep(stopping.signal)
  expect(sent).toEqual([])
  expect(reads()).toBeLessThan(6)
})
