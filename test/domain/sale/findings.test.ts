import { expect, test } from 'vitest'
import { FINDING_CODES, type FindingCode, findingsOf, findingsOfDelivery } from '../../../src/domain/sale/findings.ts'
import type { FiscalDocument } from '../../../src/domain/sale/sale.ts'

const HOUR = 3_600_000
const AT = Date.UTC(2026, 10, 30, 12)

/** A coffee for 2.50, with which nothing is wrong. */
const SALE: FiscalDocument = {
  companyOib: '02994650199',
  vatRegistered: true,
  occurredAt: AT,
  sequenceMark: 'P',
  number: '7',
  premisesCode: 'POSL1',
  registerMark: '101',
  vat: [{ rate: '25.00', base: '2.00', amount: '0.50' }],
  consumptionTax: [],
  otherTaxes: [],
  vatExemptAmount: null,
  marginAmount: null,
  nonTaxableAmount: null,
  fees: [],
  total: '2.50',
  paymentMethod: 'G',
  operatorOib: '02994650199',
  zki: '0'.repeat(32),
  paragonNumber: null,
  specialPurpose: null,
  recipientOib: null,
}

const vat = (base: string, amount: string, rate = '25.00') => ({ vat: [{ rate, base, amount }] })
const pnp = (base: string, amount: string, rate = '3.00') => ({ consumptionTax: [{ rate, base, amount }] })
const fee = (amount: string) => ({ fees: [{ name: 'Povratna naknada', amount }] })
const outside = { vatRegistered: false, vat: [] }

type Case = [code: FindingCode, found: Partial<FiscalDocument>, notFound: Partial<FiscalDocument>]

/** Of each code a sale that has it, and one just on the other side of the bound. */
const CASES: Case[] = [
  ['v105', { number: '0' }, { number: '1' }],
  ['v106', { number: '1000000' }, { number: '999999' }],
  ['v110', vat('2.00', '0.46', '23.00'), vat('2.00', '0.50')],
  ['v112', vat('2.51', '0.63'), vat('2.50', '0.63')],
  ['v112', { total: '0.00', ...vat('0.02', '0.00', '0.00') }, { total: '0.00', ...vat('0.01', '0.00', '0.00') }],
  ['v113', { total: '-2.50', ...vat('-2.51', '-0.63') }, { total: '-2.50', ...vat('-2.50', '-0.63') }],
  ['v114', vat('-2.00', '-0.50'), { total: '0.00', ...vat('-2.00', '-0.50') }],
  ['v117', pnp('2.00', '0.00', '-0.01'), pnp('2.00', '0.00', '0.00')],
  ['v118', pnp('2.00', '0.06', '3.01'), pnp('2.00', '0.06', '3.00')],
  ['v120', pnp('2.51', '0.08'), pnp('2.50', '0.08')],
  ['v120', { ...outside, ...pnp('2.51', '0.08') }, { ...outside, ...pnp('2.50', '0.08') }],
  [
    'v121',
    { ...outside, total: '-2.50', ...pnp('-2.51', '-0.08') },
    { ...outside, total: '-2.50', ...pnp('-2.50', '0.00') },
  ],
  ['v122', { ...outside, ...pnp('-2.00', '-0.06') }, { ...outside, total: '0.00', ...pnp('-2.00', '-0.06') }],
  [
    'v125',
    { otherTaxes: [{ name: 'x', rate: '0.00', base: '0.00', amount: '0.01' }] },
    { otherTaxes: [{ name: 'x', rate: '0.00', base: '0.00', amount: '0.00' }] },
  ],
  ['v126', { vatExemptAmount: '2.51' }, { vatExemptAmount: '2.50' }],
  ['v127', { total: '-2.50', vatExemptAmount: '-2.51' }, { total: '-2.50', vatExemptAmount: '-2.50' }],
  ['v128', { vatExemptAmount: '-1.00' }, { vatExemptAmount: '1.00' }],
  ['v129', { marginAmount: '2.51', vat: [] }, { marginAmount: '2.50', vat: [] }],
  ['v130', { total: '-2.50', marginAmount: '-2.51' }, { total: '-2.50', marginAmount: '-2.50' }],
  ['v131', { marginAmount: '-1.00', vat: [] }, { marginAmount: '1.00', vat: [] }],
  ['v132', { nonTaxableAmount: '2.51' }, { nonTaxableAmount: '2.50' }],
  ['v133', { total: '-2.50', nonTaxableAmount: '-2.51' }, { total: '-2.50', nonTaxableAmount: '-2.50' }],
  ['v134', { nonTaxableAmount: '-1.00' }, { nonTaxableAmount: '1.00' }],
  ['v141', { specialPurpose: 'x' }, { specialPurpose: null }],
  ['v142', { vatRegistered: false }, outside],
  ['v142', { ...outside, ...vat('0.00', '0.00', '5.00') }, { ...outside, ...vat('0.00', '0.00', '0.00') }],
  ['v143', { ...outside, vatExemptAmount: '0.01' }, { ...outside, vatExemptAmount: '0.00' }],
  ['v144', { ...outside, marginAmount: '-0.01' }, { ...outside, marginAmount: '0.00' }],
  ['v145', { ...outside, nonTaxableAmount: '0.01' }, { ...outside, nonTaxableAmount: '0.00' }],
  ['v160', vat('2.00', '0.39'), vat('2.00', '0.40')],
  ['v161', vat('2.00', '0.61'), vat('2.00', '0.60')],
  ['v162', pnp('10.00', '0.19'), pnp('10.00', '0.20')],
  ['v163', pnp('10.00', '0.41'), pnp('10.00', '0.40')],
  ['v164', fee('135.01'), fee('135.00')],
  ['v165', fee('-135.01'), fee('-135.00')],
  ['v166', { total: '2.52' }, { total: '2.51' }],
  ['v166', { total: '2.48' }, { total: '2.49' }],
  [
    'v167',
    { ...outside, paymentMethod: 'T', total: '150000.01' },
    { ...outside, paymentMethod: 'T', total: '150000.00' },
  ],
  [
    'v167',
    { ...outside, paymentMethod: 'O', total: '-150000.01' },
    { ...outside, paymentMethod: 'O', total: '-150000.00' },
  ],
  [
    'v168',
    { ...outside, paymentMethod: 'K', total: '-10000.01' },
    { ...outside, paymentMethod: 'K', total: '-10000.00' },
  ],
]

test.each(CASES)('%s is found on one side of its bound alone', (code, found, notFound) => {
  expect(findingsOf({ ...SALE, ...found })).toContain(code)
  expect(findingsOf({ ...SALE, ...notFound })).not.toContain(code)
})

test('a usual sale has no finding, nor has its refund, nor one of an issuer outside the VAT system', () => {
  expect(findingsOf(SALE)).toEqual([])
  expect(findingsOf({ ...SALE, total: '-2.50', ...vat('-2.00', '-0.50') })).toEqual([])
  expect(findingsOf({ ...SALE, ...outside })).toEqual([])
})

test('parts above the total are only told with a sum that does not fit, as the specification says', () => {
  const balanced = { total: '2.50', ...vat('4.00', '1.00'), nonTaxableAmount: '-2.50' }
  expect(findingsOf({ ...SALE, ...balanced })).toEqual([])
})

test('an amount of zero has no sign', () => {
  expect(findingsOf({ ...SALE, vatExemptAmount: '0.00', total: '-2.50' })).not.toContain('v128')
})

test('the deposit that is taxed breaks the sum', () => {
  expect(findingsOf({ ...SALE, total: '1.50', ...vat('1.20', '0.30'), ...fee('0.10') })).toEqual(['v166'])
  expect(findingsOf({ ...SALE, total: '1.50', ...vat('1.12', '0.28'), ...fee('0.10') })).toEqual([])
})

const DELIVERED: [FindingCode, { occurredAt?: number; sentAt?: number; arrivedAt?: number }, object][] = [
  ['v101', { sentAt: AT + 6 * HOUR + 1 }, { sentAt: AT + 6 * HOUR }],
  [
    'v101',
    { sentAt: AT - 6 * HOUR - 1, occurredAt: AT - 6 * HOUR - 1 },
    { sentAt: AT - 6 * HOUR, occurredAt: AT - 6 * HOUR },
  ],
  ['v103', { occurredAt: AT + 6 * HOUR + 1 }, { occurredAt: AT + 6 * HOUR }],
  ['v104', { occurredAt: AT + 1 }, { occurredAt: AT }],
  ['v152', { occurredAt: AT - 48 * HOUR - 1 }, { occurredAt: AT - 48 * HOUR }],
  ['v152', { occurredAt: AT - 120 * HOUR }, { occurredAt: AT - 120 * HOUR - 1 }],
  ['v153', { occurredAt: AT - 120 * HOUR - 1 }, { occurredAt: AT - 120 * HOUR }],
]

test.each(DELIVERED)('%s depends on when the message was sent and arrived', (code, found, notFound) => {
  const of = ({
    occurredAt = AT,
    sentAt = AT,
    arrivedAt = AT,
  }: {
    occurredAt?: number
    sentAt?: number
    arrivedAt?: number
  }) => findingsOfDelivery({ ...SALE, occurredAt }, { sentAt, arrivedAt })
  expect(of(found)).toContain(code)
  expect(of(notFound)).not.toContain(code)
})

test('each code of the specification stands in one of these tables', () => {
  expect([...new Set([...CASES, ...DELIVERED].map(([code]) => code))].sort()).toEqual(FINDING_CODES)
})
