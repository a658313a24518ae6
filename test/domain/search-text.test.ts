import { expect, test } from 'vitest'
import { readSearch } from '../../src/domain/search-text.ts'
import { processorTime } from '../support/processor-time.ts'

const JIR = '1a2b3c4d-5e6f-4a1b-8c2d-0123456789ab'
const ZKI = '0123456789abcdef0123456789abcdef'
const number = (number: string, premisesCode: string | null = null, registerMark: string | null = null) => {
  return { number, premisesCode, registerMark }
}

test.each([
  ['123', { number: number('123') }],
  ['  00123 ', { number: number('123') }],
  ['123/POSL1', { number: number('123', 'POSL1') }],
  ['123 / POSL1 / 1', { number: number('123', 'POSL1', '1') }],
  ['123-POSL1-1', { number: number('123', 'POSL1', '1') }],
  [
    '99999999999999999999',
    { number: number('99999999999999999999'), jir: '99999999-9999-9999-9999', zki: '9'.repeat(20) },
  ],
  ['12345678', { number: number('12345678'), jir: '12345678', zki: '12345678' }],
  [JIR, { jir: JIR }],
  [JIR.toUpperCase(), { jir: JIR }],
  [JIR.slice(0, 9), { jir: JIR.slice(0, 9) }],
  [ZKI, { jir: '01234567-89ab-cdef-0123-456789abcdef', zki: ZKI }],
  ['0123 4567 89ab', { jir: '01234567-89ab', zki: '0123456789ab' }],
  ['inv_01a2', { id: 'inv_01a2' }],
  [`https://porezna.gov.hr/rn?jir=${JIR}&datv=20261122_1000&izn=250`, { jir: JIR }],
  [`https://porezna.gov.hr/rn?zki=${ZKI}&datv=20261122_1000&izn=250`, { zki: ZKI }],
])('%j is taken for what it can be', (text, wanted) => {
  expect(readSearch(text)).toMatchObject(wanted)
})

test.each(['', '0', '1234567g', 'abc', '123/POSL1/1/2', '12 3', '../../etc', 'inv_', '<b>', 'č', `${ZKI}0`])(
  '%j is nothing that can be searched for',
  (text) => {
    expect(readSearch(text)).toEqual({})
  },
)

test('a very long text is read quickly', () => {
  const spent = processorTime()
  for (const text of ['1/'.repeat(500_000), ' '.repeat(1_000_000), `https://${'?jir='.repeat(200_000)}`])
    readSearch(text)
  expect(spent()).toBeLessThan(500)
})
