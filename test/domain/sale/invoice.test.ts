import { expect, test } from 'vitest'
import { deadlineOf, INVOICE_STATUSES, type InvoiceEvent, nextStatus } from '../../../src/domain/sale/invoice.ts'

const EVENTS: InvoiceEvent[] = [
  'confirmed',
  'transient',
  'validation',
  'certificate',
  'deadline_passed',
  'found_at_start',
]

test('the transitions are the ones of the specification, and no others', () => {
  const table = Object.fromEntries(
    INVOICE_STATUSES.map((from) => [from, EVENTS.map((event) => nextStatus(from, event) ?? '-').join(' ')]),
  )
  expect(table).toEqual({
    pending: 'confirmed retrying failed failed - retrying',
    confirmed: '- - - - - -',
    retrying: 'confirmed retrying failed failed expired -',
    failed: 'confirmed retrying failed failed expired -',
    expired: '- - - - - -',
  })
})

test('the deadline is 30 days after the sale, to the millisecond, summer time or not', () => {
  expect(deadlineOf(Date.UTC(2026, 2, 15, 12, 0, 0, 1))).toBe(Date.UTC(2026, 3, 14, 12, 0, 0, 1))
})
