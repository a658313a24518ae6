import { expect, test } from 'vitest'
import { RECEIPT_PAPERS, type ReceiptFacts } from '../../src/domain/sale/receipt.ts'
import type { Company, Device } from '../../src/fiscal/ports/model.ts'
import { factsOf } from '../../src/fiscal/printing/receipts.ts'
import { item, receipt } from './escpos/golden/sales.ts'
import { allText } from './layout/as-text.ts'

/** A receipt that says everything a receipt can say. A new member is missing here, and then in what fails below. */
const FACTS: Required<ReceiptFacts> = {
  header: ['ZAGLAVLJE'],
  footer: ['PODNOŽJE'],
  language: 'hr',
  paper: 'full',
  issuerName: 'IZDAVATELJ',
  issuerAddress: ['ULICA 1', '10000 GRAD'],
  premisesAddress: 'PROSTOR',
  machine: 'STROJ',
  items: [item('ROBA', '1', '2.50', '2.50')],
  stornoOf: '12/PROSTOR/7',
  logo: 'a'.repeat(64),
  hasLink: true,
}
const NOT_A_TEXT: Partial<Record<keyof ReceiptFacts, string>> = {
  language: 'chooses the words',
  paper: 'chooses the layout',
  logo: 'is a picture',
  hasLink: 'is for screens: a second code on paper would mislead who scans',
}

const textsOf = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.flatMap((one) => textsOf(one.name ?? one)) : []

test.each(RECEIPT_PAPERS)('on %s paper stands every text of a receipt', (paper) => {
  const printed = allText(receipt({ ...FACTS, paper }), 48)
  for (const [fact, value] of Object.entries(FACTS)) {
    if (fact in NOT_A_TEXT) continue
    for (const text of textsOf(value)) expect(printed, fact).toContain(text.replaceAll(' ', ''))
  }
})

test('a sale of a company and a device that say everything has every fact', () => {
  const company = { name: 'IZDAVATELJ', address: { street: 'ULICA 1', city: 'GRAD' }, logoHash: FACTS.logo }
  const device = { label: 'STROJ', premisesAddress: 'PROSTOR', deviceConfig: {} }
  const facts = factsOf(
    { ...company, fiscalConfig: {} } as unknown as Company,
    device as unknown as Device,
    { items: FACTS.items, saleType: 'unattended' },
    { stornoOf: FACTS.stornoOf, hasLink: true },
  )
  expect(Object.keys(facts).toSorted()).toEqual(Object.keys(FACTS).toSorted())
})
