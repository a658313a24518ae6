import { expect, test } from 'vitest'
import type { PrinterSettings } from '../../../src/domain/printer.ts'
import { encodeReceipt } from '../../../src/receipts/encoding/encode-receipt.ts'
import { settingsOf } from '../../../src/receipts/escpos/printer-profiles.ts'
import { hasRealTimeCommand } from '../../../src/receipts/escpos/raster.ts'
import { processorTime } from '../../support/processor-time.ts'
import { KINDS } from './golden/kinds.ts'
import { isSamePicture } from './golden/pixels.ts'
import { bytesOf, print } from './golden/print.ts'
import { item, receipt } from './golden/sales.ts'

function hexOf(settings: Partial<PrinterSettings>): string {
  return bytesOf(encodeReceipt(receipt(), settingsOf('epson-tm-t20', settings))).toString('hex')
}

test('a job starts with all that a printer forgets without power, and the bytes of the technician are not undone by it', () => {
  const reset = '1b401c2e1b4d00'
  const usual = '1b52001b321b6100'
  const page = '1b7412'
  const centredAndBold = '1b61011b4501'
  expect(hexOf({ beforeHex: '1bc101' }).startsWith(`${reset}1bc101${usual}${page}${centredAndBold}`)).toBe(true)
})

test.each([
  [{ cut: 'feed' }, '0a1d564200'],
  [{ cut: 'plain', feedLines: 6 }, '0a1b64061d5600'],
  [{ cut: 'none', feedLines: 9 }, '0a1b6409'],
  [{ cut: 'plain', feedLines: 2, afterHex: '1d6505' }, '0a1b64021d56001d6505'],
] as const)('a job with %j ends with %s', (settings, end) => {
  expect(hexOf(settings).endsWith(end)).toBe(true)
})

test('the code page is chosen by the number that the settings have for it', () => {
  expect(hexOf({ encoding: 'cp852', codePage: 18 })).toContain('1b7412')
  expect(hexOf({ encoding: 'windows1250', codePage: 72 })).toContain('1b7448')
})

test('Croatian letters are one byte each, as their page has them', () => {
  const sale = receipt({ items: [item('čćđšž', '1', '3.00', '3.00')] })
  const bytes = (encoding: PrinterSettings['encoding']) =>
    bytesOf(encodeReceipt(sale, settingsOf('generic', { encoding }))).toString('hex')
  expect(bytes('cp852')).toContain('9f86d0e7a7')
  expect(bytes('windows1250')).toContain('e8e6f09a9e')
  expect(bytes('iso8859-2')).toContain('e8e6f0b9be')
  expect(bytes('ascii')).toContain(Buffer.from('ccdjsz').toString('hex'))
})

test.each(KINDS)('segments of the receipt $name are short', ({ receipt: sale, settings }) => {
  const lengths = encodeReceipt(sale, settings).segments.map(({ length }) => length)
  expect(Math.max(...lengths)).toBeLessThanOrEqual(settings.qr === 'raster' || sale.logo ? 1024 + 8 : 512)
})

const sent = KINDS.filter(({ name }) => ['cash', 'long-names', 'raster', '58-mm-raster-ascii'].includes(name))

test.each(sent)('segments of the receipt $name are whole commands: questions between them change nothing', (kind) => {
  const job = encodeReceipt(kind.receipt, kind.settings)
  const asked = print(job, kind.settings, Uint8Array.of(0x10, 0x04, 0x01))
  expect(asked).toMatchObject({ unknownCommands: [], refused: [] })
  expect(isSamePicture(asked.papers[0]?.png(), print(job, kind.settings).papers[0]?.png())).toBe(true)
})

test('a name cannot command the printer', () => {
  const evil = '\x10\x14\x08\x01\x03\x14\x01\x06\x02\x08 \x1b@\x1dV\0 \x10\x04\x01'
  const sale = receipt({ items: [item(evil, '1', '3.00', '3.00')], machine: evil, issuerName: evil, header: [evil] })
  const job = encodeReceipt(sale, settingsOf('epson-tm-t20', {}))
  expect(hasRealTimeCommand(bytesOf(job))).toBe(false)
  const { papers } = print(job, settingsOf('epson-tm-t20', {}))
  expect(papers).toHaveLength(1)
  expect(papers[0]?.text).toContain('@ V')
})

test('the native QR code carries the payload as it is', () => {
  const sale = receipt()
  const { papers } = print(encodeReceipt(sale, settingsOf('epson-tm-t20', {})), settingsOf('epson-tm-t20', {}))
  expect(papers[0]?.qrs).toEqual([sale.qrPayload])
})

test('a receipt with ten items and a QR code in dots is encoded in less than 20 ms', () => {
  const sale = receipt({
    items: Array.from({ length: 10 }, (_, index) => item(`Žvakaća ${index}`, '1', '0.30', '0.30')),
  })
  const settings = settingsOf('epson-tm-t20', { qr: 'raster' })
  const times = Array.from({ length: 20 }, () => {
    const spent = processorTime()
    encodeReceipt(sale, settings)
    return spent()
  })
  expect(Math.min(...times)).toBeLessThan(20)
})
