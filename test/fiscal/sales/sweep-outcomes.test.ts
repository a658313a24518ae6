import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { unavailable } from '../../../src/cis/answer/outcome.ts'
import type { Present } from '../../../src/domain/instant.ts'
import { UNPROVEN_JIR } from '../../../src/domain/sale/invoice.ts'
import type { Invoice } from '../../../src/fiscal/ports/model.ts'
import { createLiveSales, type LiveSales } from '../../../src/fiscal/sales/live-sales.ts'
import { nothingAlong, type Submitted, type Submitter } from '../../../src/fiscal/sales/submit.ts'
import { createSweep, type SweepDeps } from '../../../src/fiscal/sales/sweep.ts'
import type { UnsentInvoices } from '../../../src/fiscal/sales/unsent-invoices.ts'
import { sellingIn, watched } from '../../support/alerting.ts'
import { forBoth, presentAt } from '../../support/clocks.ts'

/** What comes of a message: `+` a JIR, `r` a refusal, `j` a JIR that is not believed, `.` nothing, `0` not sent. */
type Sign = '+' | 'r' | 'j' | '.' | '0'

const MADE: Record<Exclude<Sign, '0'>, (invoice: Invoice) => Omit<Submitted, 'along'>> = {
  '+': (invoice) => ({ invoice, outcome: { kind: 'confirmed', jir: 'x' }, reached: true }),
  r: (invoice) => ({ invoice, outcome: unavailable('refused'), reached: true }),
  j: (invoice) => ({
    invoice: { ...invoice, errorCode: UNPROVEN_JIR },
    outcome: unavailable('not believed'),
    reached: true,
  }),
  '.': (invoice) => ({ invoice, outcome: unavailable('nobody answers'), reached: false }),
}

/** A queue of invoices, numbered from 0, and what comes of one message after the other. */
async function sweeping(
  signs: string,
  options: {
    atOnce?: number
    liveSales?: LiveSales
    onSent?: (number: number) => void
    /** The time, at a moment after the first sale. */
    present?: (soldAt: number) => Present
  } = {},
) {
  const { atOnce = 1, liveSales = createLiveSales(), onSent, present = presentAt } = options
  const { store, time } = await watched()
  const { sell } = await sellingIn(store, time.now)
  const ids: string[] = []
  for (let i = 0; i < signs.length; i++) ids.push((await sell({ occurredAt: time.now + i * 1000 })).id)
  const sent: number[] = []
  const { invoiceLock } = store
  const deps: SweepDeps = {
    store,
    authority: { echo: async () => ({ reachable: true }) } as never,
    clock: forBoth({ present: () => present(time.now) }),
    waiting: {
      withUnsentInvoice: async (id, send) => {
        if (signs[ids.indexOf(id)] === '0') return undefined
        return send((await store.invoices.get(id)) as never)
      },
      identityOf: async () => ({}) as never,
    } satisfies UnsentInvoices,
    submitter: {
      async resend(invoice) {
        const number = ids.indexOf(invoice.id)
        sent.push(number)
        onSent?.(number)
        // In order, 30 ms one after the other.
        await setTimeout(number * 30)
        return { ...MADE[signs[number] as '+'](invoice), along: nothingAlong() }
      },
    } as Pick<Submitter, 'resend'> as Submitter,
    invoiceLock: {
      ...invoiceLock,
      claim(candidates, most) {
        expect(most, 'LIMIT of the claim').toBeGreaterThan(0)
        return invoiceLock.claim(candidates, most)
      },
    },
    liveSales,
    atOnce,
    reportFault: ({ error }) => expect.unreachable(String(error)),
  }
  const sweep = createSweep(deps)
  return { sent, sweep: () => sweep(new AbortController().signal) }
}

test.each<[signs: string, expected: number[], why: string]>([
  ['....', [0, 1], 'two messages in a row that reach nobody end it'],
  ['.r.+..+', [0, 1, 2, 3, 4, 5], 'any answer in between begins the count anew'],
  ['.0.+', [0, 2], 'what is not sent says nothing'],
  ['rrrr', [0, 1, 2, 3], 'refused ones do not hold up the others'],
  ['jj+', [0, 1], 'two JIRs that are not believed end it'],
  ['j+jr', [0, 1, 2, 3], 'a believed one in between begins the count anew'],
  ['j.j+', [0, 1, 2], 'and no answer does not'],
])('%s: sends %j, for %s', async (signs, expected, _why) => {
  const { sweep, sent } = await sweeping(signs)
  const result = await sweep()
  expect(sent).toEqual(expected)
  expect(result).toMatchObject({
    sent: expected.length,
    confirmed: expected.filter((number) => signs[number] === '+').length,
    unreachable: signs.startsWith('....') || signs.startsWith('.r.+..') || signs.startsWith('.0.'),
  })
})

test('the next pass starts after the message with which too many misses ended the last one', async () => {
  const { sweep, sent } = await sweeping('..++')
  await sweep()
  sent.length = 0
  await sweep()
  expect(sent).toEqual([2, 3, 0, 1])
})

test('several are under way at once after the first JIR, and one at a time after a refusal', async () => {
  const { sweep, sent } = await sweeping('+++r+++', { atOnce: 3 })
  await sweep()
  expect(sent.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6])
})

test('none is asked for when a refusal comes while the pass waits for a sale, and several are under way', async () => {
  const liveSales = createLiveSales()
  const { sweep, sent } = await sweeping('++r+++++', {
    atOnce: 6,
    liveSales,
    // Until message 2 was refused, and 3 to 6 are under way.
    onSent: (number) => number === 1 && void liveSales.run(() => setTimeout(75)),
  })
  await sweep()
  expect(sent.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
})

const DAYS = 86_400_000
const UNKNOWN = Number.POSITIVE_INFINITY

test.each<[what: string, now: number, latest: number, sent: number[]]>([
  ['by a clock that is relied on', 30.5, 30.5, []],
  ['within it', 29.5, 29.5, [0, 1]],
  ['by a clock that nobody confirms', 400, UNKNOWN, [0, 1]],
  ['by a clock that is ahead, as the authority says', 69, 29.5, [0, 1]],
  ['by a clock that was moved, as the authority says', 31, 31, []],
  ['by a clock that is behind, as the authority says', 1, 31, []],
])('of a sale past its deadline nothing goes out: %s', async (_what, now, latest, expected) => {
  const { sweep, sent } = await sweeping('++', {
    present: (at) => ({ now: at + now * DAYS, earliest: 0, latest: at + latest * DAYS }),
  })
  await sweep()
  expect(sent).toEqual(expected)
})
