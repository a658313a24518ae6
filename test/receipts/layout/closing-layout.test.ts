import { expect, test } from 'vitest'
import { PAPER_COLUMNS } from '../../../src/domain/printer.ts'
import type { ClosingDocument, ClosingPaper } from '../../../src/domain/sale/closing.ts'
import { encodeClosing } from '../../../src/receipts/encoding/encode-receipt.ts'
import { settingsOf } from '../../../src/receipts/escpos/printer-profiles.ts'
import { layOutClosing } from '../../../src/receipts/layout/closing-layout.ts'
import { paperOf } from '../../../src/receipts/layout/paper.ts'
import { closingText } from '../../../src/receipts/layout/receipt-as-text.ts'
import { widthOf } from './as-text.ts'

const part = { rate: null, name: null, invoices: 1, base: '0.00', tax: '0.00', amount: '0.50' }
const CLOSING: ClosingDocument = {
  ...{ unit: 'day', starts: '2026-11-22', number: 1, mode: 'live', premisesCode: 'POSL1' },
  company: { id: 'c', name: 'Žarko i Đurđa automati d.o.o.', oib: '69435151530' },
  ...{ closedAt: Date.parse('2026-11-23T05:00:07Z'), closedBy: 'operator', gateway: null },
  ...{ invoices: 1234, total: '1237.50' },
  payments: [
    { method: 'G', invoices: 1200, total: '1200.00' },
    { method: 'K', invoices: 34, total: '37.50' },
  ],
  refunds: { invoices: 1, total: '-2.50' },
  parts: [
    { ...part, kind: 'vat', rate: '25.00', base: '989.60', tax: '247.40', amount: '1237.00' },
    { ...part, kind: 'fee', name: 'Povratna naknada' },
  ],
  ranges: [{ first: '2/POSL1/1', last: '1235/POSL1/1', invoices: 1234 }],
  withoutJir: { invoices: 2, total: '5.00', numbers: ['7/POSL1/1', '9/POSL1/1'] },
  fingerprint: 'ab'.repeat(32),
}

test('a closing on paper of 58 mm, which says that it is no fiscal receipt', () => {
  const text = closingText(
    { closing: CLOSING, header: [], language: 'hr' },
    settingsOf('epson-tm-t20', { columns: 32 }),
  )
  expect(`\n${text}`).toMatchInlineSnapshot(`
    "
               ZAKLJUČAK
      OVO NIJE FISKALIZIRANI RAČUN

     Žarko i Đurđa automati d.o.o.
            OIB: 69435151530
        Poslovni prostor: POSL1
      Zaključak dana: 22.11.2026.
    --------------------------------
    Zaključeno: 23.11.2026 06:00:07
    Ukupno računa               1234
    Prvi račun: 2/POSL1/1
    Posljednji račun: 1235/POSL1/1
    --------------------------------
    novčanice (1200)        1.200,00
    kartica (34)               37,50
    UKUPNO EUR              1.237,50
    Od toga storno (1)         -2,50
    Bez JIR-a (2)               5,00
    7/POSL1/1, 9/POSL1/1
    --------------------------------
    Porez        Osnovica      Iznos
    PDV 25%        989,60     247,40
    Povratna naknada            0,50
    --------------------------------
    Otisak (SHA-256):
    abababababababababababababababab
    abababababababababababababababab
      OVO NIJE FISKALIZIRANI RAČUN
    "
  `)
})

test('a supplementary closing of a month in test mode, in English on paper of 80 mm', () => {
  const closing: ClosingDocument = { ...CLOSING, unit: 'month', starts: '2026-11-01', number: 2, mode: 'test' }
  const settings = settingsOf('epson-tm-t20', { columns: 48 })
  expect(
    `\n${closingText({ closing, header: ['Open day and night'], language: 'en' }, settings)}`,
  ).toMatchInlineSnapshot(`
    "
                          TEST

                        CLOSING
       OVO NIJE FISKALIZIRANI RAČUN (not fiscal)

                   Open day and night
             Žarko i Đurđa automati d.o.o.
                    OIB: 69435151530
                    Premises: POSL1
             Closing of the month: 11.2026.
              Supplementary closing no. 2
    ------------------------------------------------
    Closed: 23.11.2026 06:00:07
    Invoices                                    1234
    First invoice: 2/POSL1/1
    Last invoice: 1235/POSL1/1
    ------------------------------------------------
    cash (1200)                             1,200.00
    card (34)                                  37.50
    TOTAL EUR                               1,237.50
    Of these, refunds (1)                      -2.50
    Without JIR (2)                             5.00
    7/POSL1/1, 9/POSL1/1
    ------------------------------------------------
    Tax                     Base              Amount
    VAT 25%               989.60              247.40
    Povratna naknada                            0.50
    ------------------------------------------------
    Fingerprint (SHA-256):
    abababababababababababababababababababababababab
    abababababababab
       OVO NIJE FISKALIZIRANI RAČUN (not fiscal)
    "
  `)
})

test('whatever a closing holds, no line is wider than any paper, and every paper can be printed', () => {
  const numbers = Array.from({ length: 100 }, (_, at) => `${at + 10_000_000_000}/POSLOVNIPROSTOR12345/1234567890`)
  const closing: ClosingDocument = {
    ...CLOSING,
    total: '-123456789012345.67',
    withoutJir: { invoices: 4000, total: '9.00', numbers },
    ranges: numbers.map((first) => ({ first, last: first, invoices: 1 })),
  }
  for (const columns of PAPER_COLUMNS) {
    const paper: ClosingPaper = { closing, header: ['x'.repeat(200)], language: 'hr' }
    const settings = settingsOf('generic', { columns })
    for (const block of layOutClosing(paper, paperOf(settings))) {
      if (block.kind !== 'line') continue
      expect(widthOf(block)).toBeLessThanOrEqual(columns)
    }
    expect(encodeClosing(paper, settings).segments.length).toBeGreaterThan(1)
  }
})
