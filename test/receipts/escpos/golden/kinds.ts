import type { PrinterSettings } from '../../../../src/domain/printer.ts'
import type { Receipt } from '../../../../src/domain/sale/receipt.ts'
import { settingsOf } from '../../../../src/receipts/escpos/printer-profiles.ts'
import { preparedLogo } from '../../../../src/receipts/logo/prepare-logo.ts'
import { cupLogo } from '../../../support/logos.ts'
import { item, receipt } from './sales.ts'

/** A kind of receipt on a kind of printer, kept as bytes and as a picture beside this file. */
export interface Kind {
  name: string
  receipt: Receipt
  settings: PrinterSettings
}

const EPSON = settingsOf('epson-tm-t20', {})
const NARROW = settingsOf('xprinter-xp', { columns: 32 })
const GENERIC = settingsOf('generic', {})

const thirty = Array.from({ length: 30 }, (_, index) =>
  item(`Artikl ${index + 1} - čokoladica`, String((index % 3) + 1), '1.00', `${(index % 3) + 1}.00`),
)
const LONG_NAME =
  'Žitna pločica s čokoladom, lješnjacima, brusnicama, ušećerenim đumbirom, sušenim šljivama i žličicom meda, bez glutena, ' +
  'bez laktoze, s jedinstvenom punjenom jezgrom od najfinije lješnjakove kreme i keksa'
const UNBROKEN = 'ČokoladnoMliječnaŠpricanaĐumbirskaŽvakaćaGumaSuperExtraMegaPakiranjeBezRazmakaUNazivu'

const COMPACT = { paper: 'compact' } as const
const TAXES: Parameters<typeof receipt>[1] = {
  vat: [{ rate: '25.00', base: '3.20', amount: '0.80' }],
  consumptionTax: [{ rate: '3.00', base: '3.20', amount: '0.10' }],
  otherTaxes: [{ name: 'Porez na luksuz', rate: '2.50', base: '3.20', amount: '0.08' }],
  vatExemptAmount: '0.50',
  marginAmount: '1.00',
  nonTaxableAmount: '0.22',
  fees: [{ name: 'Povratna naknada', amount: '0.10' }],
  total: '6.00',
}

function kind(name: string, settings: PrinterSettings, ...sale: Parameters<typeof receipt>): Kind {
  return { name, settings, receipt: receipt(...sale) }
}

export const KINDS: Kind[] = [
  kind('cash', EPSON),
  kind('card-without-jir', EPSON, { jir: null }, { paymentMethod: 'K' }),
  kind('without-items', EPSON, { items: [], footer: [] }),
  kind('not-in-vat', EPSON, {}, { vatRegistered: false, vat: [] }),
  kind(
    'two-vat-rates',
    EPSON,
    { items: [item('Kava s mlijekom', '2', '1.50', '3.00'), item('Dnevne novine', '1', '1.05', '1.05')] },
    {
      vat: [
        { rate: '25.00', base: '2.40', amount: '0.60' },
        { rate: '5.00', base: '1.00', amount: '0.05' },
      ],
      total: '4.05',
    },
  ),
  kind(
    'thirty-items',
    EPSON,
    { items: thirty },
    { vat: [{ rate: '25.00', base: '48.00', amount: '12.00' }], total: '60.00' },
  ),
  kind('long-names', EPSON, {
    items: [item(LONG_NAME, '1', '2.00', '2.00'), item(UNBROKEN, '0.250', '4.00', '1.00')],
    header: [
      'Automati rade za vas danju i noću, petkom i svetkom, i kad je vani mraz i kad prži sunce!',
      '',
      'Dobro došli',
    ],
  }),
  kind(
    'refund',
    EPSON,
    { items: [item('Povrat: kava s mlijekom', '-2', '1.50', '-3.00')], stornoOf: '1841/KAVA7/1' },
    { vat: [{ rate: '25.00', base: '-2.40', amount: '-0.60' }], total: '-3.00' },
  ),
  kind(
    'fifteen-digits',
    EPSON,
    { items: [item('Nuklearna elektrana', '1', '999999999999999.99', '999999999999999.99')] },
    { vat: [{ rate: '25.00', base: '799999999999999.99', amount: '200000000000000.00' }], total: '999999999999999.99' },
  ),
  kind(
    'fifteen-digits-58-mm',
    NARROW,
    { items: [item('Nuklearna elektrana', '1', '-999999999999999.99', '-999999999999999.99')] },
    {
      vat: [{ rate: '25.00', base: '-799999999999999.99', amount: '-200000000000000.00' }],
      total: '-999999999999999.99',
    },
  ),
  kind('all-taxes-and-fees', EPSON, { items: [item('Pivo u povratnoj boci', '1', '6.00', '6.00')] }, TAXES),
  kind(
    'attended',
    EPSON,
    { machine: 'Blagajna 2' },
    { operatorOib: '12345678903', recipientOib: '85821130368', paragonNumber: '17/KAVA7/1', paymentMethod: 'T' },
  ),
  kind('copy', EPSON, { copy: 1 }),
  kind('test-mode', EPSON, { mode: 'test', copy: 12 }),
  kind(
    'english',
    EPSON,
    { language: 'en', items: [item('Ćevapi, large', '1', '1234.50', '1234.50')], footer: ['Thank you!'] },
    { vat: [{ rate: '25.00', base: '987.60', amount: '246.90' }], total: '1234.50', paymentMethod: 'O' },
  ),
  kind('english-not-in-vat-58-mm', NARROW, { language: 'en', copy: 2 }, { vatRegistered: false, vat: [] }),
  kind('58-mm', NARROW),
  kind('180-dpi', settingsOf('epson-tm-t88', {})),
  kind('180-dpi-raster', settingsOf('bixolon-srp', { qr: 'raster' })),
  kind('raster', settingsOf('epson-tm-m30', { qr: 'raster', encoding: 'windows1250', codePage: 45 })),
  kind('ascii', GENERIC, {
    issuerName: 'ĐURĐICA d.o.o. & sinovi',
    items: [item('Crème brûlée „Žuta ćuk” 中 €', '1', '3.00', '3.00')],
  }),
  kind('58-mm-raster-ascii', settingsOf('generic', { columns: 32, cut: 'none' })),
  kind('both-languages', EPSON, { language: 'both' }),
  kind('compact', EPSON, COMPACT),
  kind('compact-180-dpi', settingsOf('epson-tm-t88', {}), COMPACT),
  kind('compact-wide-small-font', settingsOf('epson-tm-m30', {}), COMPACT),
  kind('compact-ascii', GENERIC, COMPACT),
  kind('compact-presenter', settingsOf('custom-kpm', {}), COMPACT),
  kind('compact-58-mm', NARROW, COMPACT),
  kind('compact-58-mm-raster', settingsOf('generic', { columns: 32 }), COMPACT),
  kind('compact-58-mm-columns', settingsOf('generic', { columns: 32, pictures: 'columns' }), COMPACT),
  kind('compact-english', EPSON, { ...COMPACT, language: 'en', footer: ['Thank you!'] }, { paymentMethod: 'K' }),
  kind('compact-both-languages', EPSON, { ...COMPACT, language: 'both' }),
  kind('compact-both-languages-58-mm', NARROW, { ...COMPACT, language: 'both' }, { vatRegistered: false, vat: [] }),
  kind('compact-without-jir', EPSON, { ...COMPACT, jir: null, footer: [] }),
  kind('compact-copy', EPSON, { ...COMPACT, copy: 1 }),
  kind('compact-copy-58-mm', NARROW, { ...COMPACT, copy: 'uncounted', jir: null }),
  kind('compact-test-mode', EPSON, { ...COMPACT, mode: 'test', copy: 12 }),
  kind('compact-test-mode-58-mm', NARROW, { ...COMPACT, mode: 'test' }),
  kind('compact-not-in-vat', EPSON, COMPACT, { vatRegistered: false, vat: [] }),
  kind(
    'compact-thirty-items',
    EPSON,
    { ...COMPACT, items: thirty },
    { vat: [{ rate: '25.00', base: '48.00', amount: '12.00' }], total: '60.00' },
  ),
  kind('compact-long-names-58-mm', NARROW, {
    ...COMPACT,
    items: [item(LONG_NAME, '1', '2.00', '2.00'), item(UNBROKEN, '0.250', '4.00', '1.00')],
    header: ['Automati rade za vas danju i noću', '', 'Dobro došli'],
  }),
  kind(
    'compact-all-taxes-and-fees',
    EPSON,
    { ...COMPACT, items: [item('Pivo u povratnoj boci', '1', '6.00', '6.00')] },
    TAXES,
  ),
  kind(
    'compact-attended',
    EPSON,
    { ...COMPACT, machine: 'Blagajna 2' },
    { operatorOib: '12345678903', recipientOib: '85821130368', paragonNumber: '17/KAVA7/1', paymentMethod: 'T' },
  ),
  kind(
    'compact-ten-thousand-58-mm',
    settingsOf('generic', { columns: 32 }),
    { ...COMPACT, items: [item('Aparat za kavu', '1', '9999.99', '9999.99')] },
    { vat: [{ rate: '25.00', base: '7999.99', amount: '2000.00' }], total: '9999.99' },
  ),
  kind(
    'compact-fifteen-digits-58-mm',
    NARROW,
    { ...COMPACT, items: [item('Nuklearna elektrana', '1', '-999999999999999.99', '-999999999999999.99')] },
    {
      vat: [{ rate: '25.00', base: '-799999999999999.99', amount: '-200000000000000.00' }],
      total: '-999999999999999.99',
    },
  ),
  kind(
    'compact-refund-58-mm',
    NARROW,
    { ...COMPACT, items: [item('Kava s mlijekom', '-2', '1.50', '-3.00')], stornoOf: '1841/KAVA7/123456789' },
    { vat: [{ rate: '25.00', base: '-2.40', amount: '-0.60' }], total: '-3.00' },
  ),
  kind('compact-logo', EPSON, { ...COMPACT, logo: 'cup', logoFile: preparedLogo(cupLogo()) }),
  kind('presenter', settingsOf('custom-kpm', {})),
  kind('presenter-vkp80iii', settingsOf('custom-vkp80iii', {})),
]
