import { expect, test } from 'vitest'
import { type CheckName, type Evidence, judge } from '../../scripts/chaos/judge.ts'
import type { Sale } from '../../scripts/chaos/sale.ts'

const MACHINE = { id: 'machine-1', premisesCode: 'POSL1' }

/** Two sales that went well, as all five sources tell of them; the second one was sent twice and answered twice. */
function goodEvidence(): Evidence {
  const sales = [1, 2].map((i) => saleOf(i))
  const kept = {
    invoices: [1, 2].map((i) => ({
      id: `inv_${i}`,
      status: 'confirmed',
      jir: `jir-${i}`,
      zki: `zki-${i}`,
      number: String(i),
      premisesCode: 'POSL1',
      year: 2026,
      deviceId: MACHINE.id,
      occurredAt: occurredAt(i),
      total: '2.50',
    })),
    receipts: [1, 2].map((i) => ({ invoiceId: `inv_${i}`, copy: 0, status: 'unconfirmed' })),
    keys: [1, 2].map((i) => ({ key: `key-${i}`, invoiceId: `inv_${i}` })),
    sums: [
      { unit: 'day' as const, starts: '2026-11-21', deviceId: MACHINE.id, invoices: 2, cents: 500 },
      { unit: 'month' as const, starts: '2026-11-01', deviceId: MACHINE.id, invoices: 2, cents: 500 },
    ],
    damage: [],
    stopped: [],
  }
  const shown = kept.invoices.map(({ id, number, zki, jir, status }) => ({ id, number, zki, jir, status }))
  const received = [1, 2, 2].map((i, message) => ({
    messageId: `message-${message}`,
    number: String(i),
    premisesCode: 'POSL1',
    zki: `zki-${i}`,
    zkiMatches: true,
    total: '2.50',
    occurredAt: `21.11.2026T12:00:0${i}`,
    sentAt: `21.11.2026T12:00:0${i}`,
    lateDelivery: message === 2,
    jir: `jir-${i}`,
    arrivedAt: 50,
  }))
  return { sales, shown, kept, received, paper: ['zki-1', 'zki-2'] }
}

const occurredAt = (i: number) => `2026-11-21T11:00:0${i}.000Z`

function saleOf(i: number): Sale {
  const seen = { id: `inv_${i}`, number: String(i), zki: `zki-${i}`, status: 'confirmed', jir: `jir-${i}` }
  const answer = { ...seen, text: JSON.stringify(seen), at: 100 }
  return {
    machine: MACHINE,
    key: `key-${i}`,
    body: '{}',
    occurredAt: occurredAt(i),
    total: '2.50',
    seen: i === 1 ? [answer] : [answer, answer],
    refusals: [],
  }
}

function brokenChecks(evidence: Evidence): CheckName[] {
  return judge(evidence)
    .filter(({ problems }) => problems.length > 0)
    .map(({ check }) => check)
}

/** Something of a list that must be there. */
function first<T>(list: T[]): T {
  const [one] = list
  if (one === undefined) throw new Error('the evidence is empty')
  return one
}

test('five sources that agree break no promise, and each promise has looked at something', () => {
  const findings = judge(goodEvidence())
  expect(findings.flatMap(({ problems }) => problems)).toEqual([])
  expect(findings.filter(({ looked }) => looked === 0)).toEqual([])
})

test.each<[string, CheckName[], (evidence: Evidence) => void]>([
  [
    'a sale that nobody answered',
    ['answered'],
    ({ sales }) => void sales.push({ ...saleOf(1), key: 'key-3', seen: [] }),
  ],
  [
    'an answered invoice that is gone',
    ['stored', 'shown', 'numbers', 'zki', 'paper', 'sums'],
    ({ kept }) => void kept.invoices.shift(),
  ],
  [
    'an answer with another number',
    ['stored'],
    ({ sales }) => {
      first(first(sales).seen).number = '7'
    },
  ],
  [
    'an answer with another ZKI',
    ['stored'],
    ({ sales }) => {
      first(first(sales).seen).zki = 'zki-7'
    },
  ],
  [
    'another total than the machine sent',
    ['stored', 'sums'],
    ({ kept }) => {
      first(kept.invoices).total = '9.99'
    },
  ],
  ['a receipt that came out twice', ['paper'], ({ paper }) => void paper.push('zki-1')],
  ['a receipt of no invoice', ['paper'], ({ paper }) => void paper.push('zki-7')],
  [
    'a receipt that came out and is said to have expired',
    ['paper'],
    ({ kept }) => {
      first(kept.receipts).status = 'expired'
    },
  ],
  [
    'a receipt that waits for ever',
    ['paper'],
    ({ kept }) => void kept.receipts.push({ invoiceId: 'inv_3', copy: 0, status: 'queued' }),
  ],
  ['an invoice that /v1 does not list', ['shown'], ({ shown }) => void shown.pop()],
  [
    'a state that /v1 shows otherwise',
    ['shown'],
    ({ shown }) => {
      first(shown).status = 'retrying'
    },
  ],
  [
    'a gap between numbers',
    ['stored', 'shown', 'numbers', 'zki'],
    ({ kept }) => void Object.assign(kept.invoices.at(-1) ?? {}, { number: '3' }),
  ],
  [
    'a message with another ZKI',
    ['zki'],
    ({ received }) => {
      first(received).zki = 'zki-7'
    },
  ],
  [
    'a ZKI that the key does not make',
    ['zki'],
    ({ received }) => {
      first(received).zkiMatches = false
    },
  ],
  [
    'a message about a number that is not stored',
    ['zki'],
    ({ received }) => void received.push({ ...first(received), number: '9', jir: null }),
  ],
  [
    'a second JIR at the authority',
    ['jir'],
    ({ received }) => {
      first(received.slice(1)).jir = 'jir-7'
    },
  ],
  [
    'another JIR in an answer',
    ['jir'],
    ({ sales }) => {
      first(first(sales).seen).jir = 'jir-7'
    },
  ],
  [
    'a JIR that nobody issued',
    ['jir'],
    ({ kept, shown, sales, received }) => {
      first(kept.invoices).jir = 'jir-7'
      first(shown).jir = 'jir-7'
      first(first(sales).seen).jir = 'jir-7'
      first(received).jir = null
    },
  ],
  [
    'a key that stands for two invoices',
    ['keys'],
    ({ kept }) => void kept.keys.push({ key: 'key-1', invoiceId: 'inv_2' }),
  ],
  [
    'a sale that is stored twice',
    ['shown', 'sales', 'sums'],
    ({ kept }) =>
      void kept.invoices.push({ ...first(kept.invoices), id: 'inv_3', number: '3', jir: null, zki: 'zki-3' }),
  ],
  [
    'an invoice that nobody sold',
    ['shown', 'sales', 'sums'],
    ({ kept }) => {
      const invoice = { ...first(kept.invoices), id: 'inv_3', number: '3', jir: null, zki: 'zki-3' }
      kept.invoices.push({ ...invoice, occurredAt: occurredAt(9) })
    },
  ],
  [
    'an invoice that is not confirmed',
    ['confirmed'],
    ({ kept, shown }) => {
      first(kept.invoices).status = 'failed'
      first(shown).status = 'failed'
    },
  ],
  [
    'an answer that reads otherwise the second time',
    ['bytes'],
    ({ sales }) => {
      first(first(sales.slice(1)).seen).text = ' '
    },
  ],
  [
    'a message after a machine had the JIR',
    ['final'],
    ({ received }) => {
      first(received).arrivedAt = 101
    },
  ],
  [
    'a message that is older than its sale',
    ['times'],
    ({ received }) => {
      first(received).sentAt = '21.11.2026T12:00:00'
    },
  ],
  [
    'a sum that lacks a sale',
    ['sums'],
    ({ kept }) => {
      Object.assign(first(kept.sums), { invoices: 1, cents: 250 })
    },
  ],
  [
    'a sum of a day without sales',
    ['sums'],
    ({ kept }) => void kept.sums.push({ ...first(kept.sums), starts: '2026-11-20' }),
  ],
  ['a premises that was stopped', ['stopped'], ({ kept }) => void kept.stopped.push('behind company-1 test POSL1')],
  ['a damaged database', ['intact'], ({ kept }) => void kept.damage.push('row 7 missing from index')],
])('it sees %s', (_name, checks, change) => {
  const evidence = goodEvidence()
  evidence.sales = evidence.sales.map((sale) => ({ ...sale, seen: sale.seen.map((seen) => ({ ...seen })) }))
  change(evidence)
  expect(brokenChecks(evidence)).toEqual(checks)
})

test('the hour that October has twice is no message before its sale', () => {
  const evidence = goodEvidence()
  Object.assign(first(evidence.received), { occurredAt: '25.10.2026T02:50:00', sentAt: '25.10.2026T02:10:00' })
  expect(judge(evidence).find(({ check }) => check === 'times')?.problems).toEqual([])
})
