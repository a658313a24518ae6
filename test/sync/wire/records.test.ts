import { expect, test } from 'vitest'
import { SYNC_KINDS, type SyncRows } from '../../../src/fiscal/ports/outbox.ts'
import type { WireRecord } from '../../../src/sync/wire/messages.ts'
import { decodeRecord, encodeRecord } from '../../../src/sync/wire/records.ts'
import { fleet, record } from '../../support/sync-rows.ts'

const { parents, invoice, message, printJob, request, alert } = fleet()
const receipt: NonNullable<SyncRows['invoice']['receipt']> = {
  ...{ header: ['č'], footer: [], language: 'hr', issuerName: 'Kava', issuerAddress: [], premisesAddress: null },
  ...{ machine: 'Lobby', items: [{ name: 'Kava', quantity: '1', unitPrice: '2.50', amount: '2.50' }] },
}
const sold = invoice(1, { receipt })
const records = [
  ...parents(),
  record('invoice', sold),
  record('message', message(sold.id)),
  record('print_job', printJob(sold.id)),
  record('request', request()),
  record('alert', alert()),
]
const overTheLine = (one: WireRecord): WireRecord => JSON.parse(JSON.stringify(one))

test('there is a record of every kind here', () => {
  expect(records.map(({ kind }) => kind)).toEqual(SYNC_KINDS)
})

test.each(records.map((one) => [one.kind, one] as const))('a %s arrives as it was', (_kind, one) => {
  expect(decodeRecord(overTheLine(encodeRecord(one)))).toEqual({ record: one, bytes: expect.any(Number) })
})

test.each(records.map((one) => [one.kind, one] as const))(
  'a %s without one of its fields is refused by name',
  (_, one) => {
    const wire = overTheLine(encodeRecord(one))
    for (const name of Object.keys(wire.row as object)) {
      const { [name]: _gone, ...rest } = wire.row as Record<string, unknown>
      const refusal = { code: 'invalid_record', message: `${name} is missing` }
      expect(decodeRecord({ ...wire, row: rest })).toMatchObject({ refusal })
    }
  },
)

test.each([
  ['half a surrogate pair', '\ud800'],
  ['NUL', '\u0000'],
  ['more than it may hold', 'x'.repeat(2001)],
])('a text with %s is refused', (_what, text) => {
  const wire = overTheLine(encodeRecord(record('company', { ...fleet().company, name: text })))
  const refusal = { code: 'invalid_record', message: expect.stringMatching(/^name is not/) }
  expect(decodeRecord(wire)).toMatchObject({ refusal })
})

test.each([
  ['a company whose id is not that of its OIB', record('company', { ...fleet().company, oib: '18683136487' })],
  [
    'an invoice of another OIB',
    record('invoice', { ...sold, document: { ...sold.document, companyOib: '18683136487' } }),
  ],
  ['a confirmed invoice without JIR', record('invoice', { ...sold, jir: null })],
  ['a device whose number and state differ', record('device', { ...fleet().device, isuNumber: null })],
])('%s contradicts itself and is refused', (_what, one) => {
  expect(decodeRecord(overTheLine(encodeRecord(one)))).toMatchObject({ refusal: { code: 'invalid_record' } })
})

test.each(['AAA', 'AA=A', 'AAAA====', '====', 'AA AA', 'č'.repeat(4), 'AAA\u0000'])('%j is no base64', (text) => {
  const wire = overTheLine(encodeRecord(record('message', message(sold.id))))
  const refusal = { code: 'invalid_record', message: 'request_xml is not base64' }
  expect(decodeRecord({ ...wire, row: { ...(wire.row as object), request_xml: text } })).toMatchObject({ refusal })
})

test.each([
  ['address', record('company', { ...fleet().company, address: { a: 'č'.repeat(16_384) } })],
  ['fiscal_config', record('company', { ...fleet().company, fiscalConfig: { a: 'x'.repeat(32_768) } })],
  ['device_config', record('device', { ...fleet().device, deviceConfig: { a: 'x'.repeat(32_768) } })],
  ['detail', record('alert', alert({ detail: { a: 'x'.repeat(32_768) } }))],
])('%s holds as much as /v1 takes, and no more', (name, one) => {
  const refusal = { code: 'invalid_record', message: `${name} must have at most 32 KB` }
  expect(decodeRecord(overTheLine(encodeRecord(one)))).toMatchObject({ refusal })
})

test('a list of an invoice that is too long is refused without a look at its members', () => {
  const wire = overTheLine(encodeRecord(record('invoice', sold)))
  for (const name of ['vat', 'consumptionTax', 'otherTaxes', 'fees']) {
    const document = { ...sold.document, [name]: Array(101).fill({}) }
    const refusal = { code: 'invalid_record', message: `document.${name} has too many members` }
    expect(decodeRecord({ ...wire, row: { ...(wire.row as object), document } })).toMatchObject({ refusal })
  }
  for (const name of ['header', 'footer', 'issuerAddress', 'items']) {
    const receipt = { ...sold.receipt, [name]: Array(101).fill({}) }
    const refusal = { code: 'invalid_record', message: `receipt.${name} has too many members` }
    expect(decodeRecord({ ...wire, row: { ...(wire.row as object), receipt } })).toMatchObject({ refusal })
  }
})

test('what is wrong in a full list is named by its place', () => {
  const wire = overTheLine(encodeRecord(record('invoice', sold)))
  const refusalOf = (vat: object[]) =>
    decodeRecord({ ...wire, row: { ...(wire.row as object), document: { ...sold.document, vat } } })
  const [line] = sold.document.vat as [object]
  const wrong = (at: number) => [...Array(at).fill(line), ...Array(100 - at).fill({})]
  expect(refusalOf(wrong(3))).toMatchObject({ refusal: { message: 'document.vat[3].rate is missing' } })
  expect(refusalOf(wrong(99))).toMatchObject({ refusal: { message: 'document.vat[99].rate is missing' } })
  expect(refusalOf(Array(100).fill(line))).toHaveProperty('record')
})
