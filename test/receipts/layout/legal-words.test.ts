import { describe, expect, test } from 'vitest'
import { RECEIPT_LANGUAGES, RECEIPT_PAPERS } from '../../../src/domain/sale/receipt.ts'
import { withoutBlanks } from '../../support/printer.ts'
import { item, JIR, receipt } from '../escpos/golden/sales.ts'
import { asText, blocksOf, type Columns } from './as-text.ts'

const FORMS = RECEIPT_PAPERS.flatMap((paper) => RECEIPT_LANGUAGES.map((language) => ({ paper, language })))
/** What docs/spec/printing.md names, without blanks. */
const WORDS = [
  ...['ŽarkoiĐurđaautomatid.o.o.', 'ŠetališteĆireČečuka12', '10000Zagreb', 'OIB:69435151530', 'KAVA7'],
  ...['Trgžrtavafašizma1', '40000Čakovec', '1842/KAVA7/1', '21.11.202618:03', 'Kavasmlijekom', '2x'],
  ...['EUR', '25%', JIR, '4f1d0c6b8a2e97355b7e0a1c9d3f2b68', '12345678903'],
]

function textOf(changes: Parameters<typeof receipt>[0], columns: Columns): string {
  const sale = receipt(changes, { operatorOib: '12345678903' })
  const beside = blocksOf(sale, columns).flatMap((block) => (block.kind === 'qr' ? block.beside : []))
  return withoutBlanks(
    asText(sale, columns) + beside.map(({ spans }) => spans.map(({ text }) => text).join('')).join(' '),
  )
}

describe.each(FORMS)('the $paper receipt in $language', (form) => {
  test.each([32, 42, 48] as const)('has all that the law asks for on %i columns', (columns) => {
    const text = textOf(form, columns)
    expect(WORDS.filter((word) => !text.includes(word))).toEqual([])
    expect(text).toMatch(/3[,.]00/)
    expect(text).toMatch(/2[,.]40.*0[,.]60/)
    expect(text).toMatch(/novčanice|cash/)
  })
})

test.each(['9.99', '999.99', '9999.99'])('the total %s stands on one line with its label at 32 columns', (total) => {
  const sale = receipt({ paper: 'compact', items: [item('Kava', '1', total, total)] }, { total })
  const line = asText(sale, 32)
    .split('\n')
    .find((one) => one.includes('UKUPNO EUR'))
  expect(line).toMatch(/UKUPNO EUR *#[\d.]+,99#$/)
})

test('a total that is too long to stand beside its label is never broken', () => {
  const total = '-999999999999999.99'
  expect(asText(receipt({ paper: 'compact' }, { total }), 32)).toContain('-999.999.999.999.999,99')
})
