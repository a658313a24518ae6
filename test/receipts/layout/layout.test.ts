import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PAPER_COLUMNS } from '../../../src/domain/printer.ts'
import { RECEIPT_LANGUAGES, RECEIPT_PAPERS } from '../../../src/domain/sale/receipt.ts'
import { ISSUER_OIB, item, JIR, receipt } from '../escpos/golden/sales.ts'
import { allText, asText, blocksOf, widthOf } from './as-text.ts'

const ARTICLES = [
  item('Kava s mlijekom', '2', '1.50', '3.00'),
  item('Čokoladica s đumbirom i ušećerenim šljivama', '1', '1234.50', '1234.50'),
]

test('a receipt on paper of 80 mm', () => {
  const sale = receipt({ items: ARTICLES }, { total: '1237.50' })
  expect(asText(sale, 48)).toMatchInlineSnapshot(`
    "
             Žarko i Đurđa automati d.o.o.
                Šetalište Ćire Čečuka 12
                      10000 Zagreb
                    OIB: 69435151530

                Poslovni prostor: KAVA7
          Trg žrtava fašizma 1, 40000 Čakovec
            Uređaj: Kava 7, hodnik čekaonice
    ------------------------------------------------
    Račun br.: 1842/KAVA7/1
    Datum: 21.11.2026 18:03:04
    ------------------------------------------------
    Artikl                                 Iznos EUR
    Kava s mlijekom
      2 x 1,50                                  3,00
    Čokoladica s đumbirom i ušećerenim šljivama
      1 x 1.234,50                          1.234,50
    ------------------------------------------------
    #UKUPNO EUR      1.237,50#
    Način plaćanja                         novčanice
    ------------------------------------------------
    Porez                Osnovica              Iznos
    PDV 25%                  2,40               0,60
    ------------------------------------------------
    Oznaka operatera: 69435151530
    ZKI: 4f1d0c6b8a2e97355b7e0a1c9d3f2b68
    JIR: e2dd1b4e-5b7b-4ba6-8d4b-1d2c3b4a5d6e

    [QR https://porezna.gov.hr/rn?jir=e2dd1b4e-5b7b-4ba6-8d4b-1d2c3b4a5d6e&datv=20261121_1803&izn=123750]

                   Hvala i doviđenja!
    "
  `)
})

test('a test copy in English on paper of 58 mm, from an issuer who is not in the VAT system', () => {
  const sale = receipt(
    {
      items: ARTICLES,
      language: 'en',
      mode: 'test',
      copy: 3,
      header: ['Open day and night, also on Sundays'],
      footer: ['Bye'],
    },
    { total: '1237.50', vatRegistered: false, vat: [], paymentMethod: 'K' },
  )
  expect(asText(sale, 32)).toMatchInlineSnapshot(`
    "
                #TEST#
      OVO NIJE FISKALIZIRANI RAČUN
              (not fiscal)

              #KOPIJA#
               Copy no. 3

      Open day and night, also on
                Sundays

     Žarko i Đurđa automati d.o.o.
        Šetalište Ćire Čečuka 12
              10000 Zagreb
            OIB: 69435151530

            Premises: KAVA7
      Trg žrtava fašizma 1, 40000
                Čakovec
        Machine: Kava 7, hodnik
               čekaonice
    --------------------------------
    Receipt no.: 1842/KAVA7/1
    Date: 21.11.2026 18:03:04
    --------------------------------
    Item                  Amount EUR
    Kava s mlijekom
      2 x 1.50                  3.00
    Čokoladica s đumbirom i
    ušećerenim šljivama
      1 x 1,234.50          1,234.50
    --------------------------------
    TOTAL EUR       #1,237.50#
    Payment                     card
    --------------------------------
    The issuer is not in the VAT
    system; VAT is not charged under
    art. 90(2) of the Croatian VAT
    Act.
    --------------------------------
    Operator: 69435151530
    ZKI:
    4f1d0c6b8a2e97355b7e0a1c9d3f2b68
    JIR:
    e2dd1b4e-5b7b-4ba6-8d4b-
    1d2c3b4a5d6e

    [QR https://porezna.gov.hr/rn?jir=e2dd1b4e-5b7b-4ba6-8d4b-1d2c3b4a5d6e&datv=20261121_1803&izn=123750]

                  Bye

                #TEST#
      OVO NIJE FISKALIZIRANI RAČUN
              (not fiscal)
    "
  `)
})

test('every tax, exemption and fee has its line', () => {
  const sale = receipt(
    {},
    {
      vat: [
        { rate: '25.00', base: '1000.00', amount: '250.00' },
        { rate: '13.00', base: '-1.00', amount: '-0.13' },
      ],
      consumptionTax: [{ rate: '2.50', base: '10.00', amount: '0.25' }],
      otherTaxes: [{ name: 'Turistička', rate: '1.00', base: '5.00', amount: '0.05' }],
      vatExemptAmount: '1.00',
      marginAmount: '2.00',
      nonTaxableAmount: '3.00',
      fees: [{ name: 'Povratna naknada', amount: '0.10' }],
    },
  )
  const text = asText(sale, 48)
  expect(text.slice(text.indexOf('Porez'), text.indexOf('Oznaka'))).toMatchInlineSnapshot(`
    "Porez                   Osnovica           Iznos
    PDV 25%                 1.000,00          250,00
    PDV 13%                    -1,00           -0,13
    PNP 2,5%                   10,00            0,25
    Turistička 1%               5,00            0,05
    Oslobođeno PDV-a                            1,00
    Posebni postupak - marža                    2,00
    Ne podliježe oporezivanju                   3,00
    Povratna naknada                            0,10
    ------------------------------------------------
    "
  `)
})

test('amounts that leave no room beside each other stand below each other', () => {
  const sale = receipt(
    { items: [item('Elektrana', '1', '-999999999999999.99', '-999999999999999.99')] },
    {
      total: '-999999999999999.99',
      vat: [{ rate: '25.00', base: '-799999999999999.99', amount: '-200000000000000.00' }],
    },
  )
  const text = asText(sale, 32)
  expect(text.slice(text.indexOf('Artikl'), text.indexOf('Oznaka'))).toMatchInlineSnapshot(`
    "Artikl                 Iznos EUR
    Elektrana
      1 x -999.999.999.999.999,99
             -999.999.999.999.999,99
    --------------------------------
              #STORNO#
    UKUPNO EUR
    #         -999.999.999.999.999,99#
    Način plaćanja         novčanice
    --------------------------------
    PDV 25%
      Osnovica
             -799.999.999.999.999,99
      Iznos  -200.000.000.000.000,00
    --------------------------------
    "
  `)
})

describe('what is not there is not printed', () => {
  const NOTHING = ' \u200b\u{1f600}'

  test('no blank line for an issuer, an address or a machine of which nothing can be printed', () => {
    const blank = { issuerName: NOTHING, issuerAddress: [NOTHING], premisesAddress: NOTHING, machine: NOTHING }
    const text = asText(receipt(blank), 48)
    expect(text.slice(0, text.indexOf('---'))).toBe(
      '\n                OIB: 69435151530\n\n            Poslovni prostor: KAVA7\n',
    )
  })

  test.each([
    ['hr', 'Artikl'],
    ['en', 'Item'],
  ] as const)('in %s an item without a name that can be printed is called %s', (language, word) => {
    const text = asText(receipt({ language, items: [item(NOTHING, '1', '3.00', '3.00')] }), 48)
    expect(text).toMatch(new RegExp(`EUR\n${word}\n  1 x 3`))
  })

  test('no JIR line without a JIR', () => {
    expect(asText(receipt({ jir: null }), 48)).not.toContain('JIR')
  })

  test('no line of goods for a sale without items, and the total all the same', () => {
    const text = asText(receipt({ items: [] }), 48)
    expect(text).not.toContain('Artikl')
    expect(text).toMatch(/#UKUPNO EUR {10}3,00#/)
  })

  test('no KOPIJA on an original and no TEST on a live receipt', () => {
    expect(asText(receipt(), 48)).not.toMatch(/KOPIJA|TEST|FISKALIZIRANI/)
  })

  test('no STORNO on a sale', () => {
    for (const paper of RECEIPT_PAPERS) expect(asText(receipt({ paper }), 48)).not.toContain('STORNO')
  })

  test('no note that VAT is not charged beside VAT that an issuer outside the VAT system sent', () => {
    for (const paper of RECEIPT_PAPERS) {
      const sent = asText(receipt({ paper }, { vatRegistered: false }), 48)
      expect(sent).not.toContain('nije u sustavu')
      expect(sent.replace(/ +/g, ' ')).toMatch(/PDV 25%( od)? 2,40:? 0,60/)
      for (const vat of [[], [{ rate: '0.00', base: '0.00', amount: '0.00' }]])
        expect(asText(receipt({ paper }, { vatRegistered: false, vat }), 48)).toMatch(/nije\s+obračunan\s+na\s+temelju/)
    }
  })

  test('no note about VAT for an issuer who is in the VAT system', () => {
    expect(asText(receipt(), 48)).not.toContain('nije u sustavu')
  })
})

describe('a refund', () => {
  const words = (paper: 'compact' | 'full', language: 'hr' | 'en' | 'both', columns: 32 | 48, stornoOf?: string) => {
    const refund = receipt({ paper, language, ...(stornoOf !== undefined && { stornoOf }) }, { total: '-3.00' })
    return asText(refund, columns).replace(/[#\s]+/g, ' ')
  }

  test.each(RECEIPT_PAPERS)('says STORNO above its total on %s paper in every language', (paper) => {
    for (const language of RECEIPT_LANGUAGES) expect(words(paper, language, 32)).toMatch(/STORNO (UKUPNO|TOTAL)/)
  })

  test.each(RECEIPT_PAPERS)('names the receipt that it takes back on %s paper', (paper) => {
    const number = '1841/KAVA7/123456789'
    expect(words(paper, 'hr', 32, number)).toContain(`STORNO računa br. ${number} UKUPNO EUR -3,00`)
    expect(words(paper, 'en', 48, number)).toContain(`STORNO of receipt no. ${number} TOTAL EUR -3.00`)
    expect(words(paper, 'both', 48, number)).toContain(`STORNO računa br. / of receipt no. ${number}`)
  })
})

test('a deposit stands by its name and amount, apart from the taxes and outside of their bases', () => {
  const deposit = receipt(
    { paper: 'compact', items: [item('Voda 0,5 l', '1', '1.50', '1.50')] },
    {
      total: '1.50',
      vat: [{ rate: '25.00', base: '1.12', amount: '0.28' }],
      fees: [{ name: 'Povratna naknada', amount: '0.10' }],
    },
  )
  const text = asText(deposit, 48)
  expect(text).toMatch(/\nPDV 25% od 1,12 +0,28\nPovratna naknada +0,10\n/)
})

test.each([
  ['G', 'novčanice'],
  ['K', 'kartica'],
  ['O', 'ostalo'],
  ['T', 'transakcijski račun'],
] as const)('payment %s is called %s', (paymentMethod, words) => {
  expect(asText(receipt({}, { paymentMethod }), 48)).toContain(words)
})

test('an attended sale names its operator, the buyer and the paragon', () => {
  const text = asText(
    receipt({}, { operatorOib: '12345678903', recipientOib: '85821130368', paragonNumber: '17/A/1' }),
    48,
  )
  expect(text).toContain('Oznaka operatera: 12345678903\n')
  expect(text).toContain('OIB kupca: 85821130368\n')
  expect(text).toContain('Broj paragon računa: 17/A/1\n')
})

test('summer time in Zagreb is printed as clocks there show it', () => {
  const occurredAt = Date.UTC(2026, 6, 1, 22, 30, 5)
  expect(asText(receipt({ occurredAt }), 48)).toContain('Datum: 02.07.2026 00:30:05\n')
})

test('words in two languages that are wider than the paper go on in the next line', () => {
  const text = asText(receipt({ language: 'both' }, { paymentMethod: 'T' }), 32)
  expect(text).toMatch(/\n +transakcijski račun \/ bank\n +transfer\n/)
})

test('an amount is big even where its label leaves no room for another big text', () => {
  const text = asText(receipt({ language: 'both' }, { total: '9999.99' }), 32)
  expect(text).toMatch(/UKUPNO \/ TOTAL EUR +#9\.999,99#\n/)
})

test('the QR code is the payload as it was given', () => {
  const qrPayload = 'https://porezna.gov.hr/rn?any=č'
  expect(asText(receipt({ qrPayload }), 32)).toContain(`\n\n[QR ${qrPayload}]\n\n`)
})

test('a JIR that does not fit is broken between its groups', () => {
  expect(asText(receipt(), 32)).toContain('\nJIR:\ne2dd1b4e-5b7b-4ba6-8d4b-\n1d2c3b4a5d6e\n')
})

test('a receipt number of the longest kind is broken at its slashes, and nothing is lost', () => {
  const sale = receipt({}, { number: '9'.repeat(20), premisesCode: 'P'.repeat(20), registerMark: '8'.repeat(20) })
  expect(asText(sale, 32)).toContain(`\nRačun br.:\n${'9'.repeat(20)}/\n${'P'.repeat(20)}/\n${'8'.repeat(20)}\n`)
})

const money = fc.bigInt({ min: -99999999999999999n, max: 99999999999999999n }).map((cents) => {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
})
const words = fc.string({ unit: fc.constantFrom(...'aČĆđšž 10-/€'), maxLength: 200 })

test('whatever is sold, every line fits every paper, and nothing of the proof is cut', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...PAPER_COLUMNS),
      fc.record({
        paper: fc.constantFrom(...RECEIPT_PAPERS),
        language: fc.constantFrom(...RECEIPT_LANGUAGES),
        paymentMethod: fc.constantFrom('G', 'K', 'O', 'T'),
      }),
      fc.array(fc.record({ name: words, quantity: money, unitPrice: money, amount: money }), { maxLength: 30 }),
      fc.array(words, { maxLength: 3 }),
      money,
      (columns, { paymentMethod, ...style }, items, header, total) => {
        const sale = receipt(
          { ...style, items, header, machine: header.join(' ') },
          { total, paymentMethod, vat: [{ rate: '25.00', base: total, amount: total }] },
        )
        for (const block of blocksOf(sale, columns)) {
          if (block.kind !== 'line') continue
          expect(widthOf(block)).toBeLessThanOrEqual(columns)
        }
        const text = allText(sale, columns)
        for (const whole of [sale.document.zki, JIR, ISSUER_OIB]) expect(text).toContain(whole)
        for (const { name } of items) expect(text).toContain(name.replaceAll('€', 'EUR').replaceAll(' ', ''))
      },
    ),
    { numRuns: 200 },
  )
})

test('amounts end at the right edge and in one column, whatever letters stand before them', () => {
  const lines = asText(receipt({ items: ARTICLES }), 48).split('\n')
  expect(lines.filter((line) => /^ {2}\d+ x /.test(line)).map((line) => line.length)).toEqual([48, 48])
})
