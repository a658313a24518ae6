import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { misfitOf, PRINTER_PROFILES } from '../../../src/domain/printer.ts'
import { PROFILE_NOTES } from '../../../src/domain/printing/printer-profile-notes.ts'
import { encodeReceipt } from '../../../src/receipts/encoding/encode-receipt.ts'
import { settingsOf } from '../../../src/receipts/escpos/printer-profiles.ts'
import { encodeTestPage } from '../../../src/receipts/layout/test-page.ts'
import { PRINTER_KINDS } from '../../../src/simulator/index.ts'
import { expectQr } from '../../support/printer.ts'
import { skipWithout } from '../../support/tools.ts'
import { bytesOf, print } from './golden/print.ts'
import { receipt } from './golden/sales.ts'

test.each(PRINTER_PROFILES)('the profile %s has everything a receipt and a line need', (profile) => {
  const settings = settingsOf(profile, {})
  expect(bytesOf(encodeReceipt(receipt(), settings)).length).toBeGreaterThan(500)
  expect(settings.columns * 12).toBeLessThanOrEqual(settings.dpi === 180 ? 512 : 576)
  expect(`${settings.beforeHex}${settings.afterHex}`).toMatch(/^([0-9a-f]{2})*$/)
  expect(settings.answerTimeoutMs).toBeLessThan(settings.confirmTimeoutMs)
})

test.each(PRINTER_PROFILES)(
  'a receipt and the test page of %s hold nothing that a printer does not know',
  (profile) => {
    const settings = settingsOf(profile, {})
    for (const job of [
      encodeReceipt(receipt(), settings),
      encodeTestPage(settings, { line: 'usb:/dev/usb/lp0', profile }),
    ]) {
      const { papers, unknownCommands, refused } = print(job, settings)
      expect({ unknownCommands, refused, papers: papers.length }).toEqual({
        unknownCommands: [],
        refused: [],
        papers: 1,
      })
      expect(papers[0]?.cut).toBe(settings.cut !== 'none' || settings.afterHex !== '')
    }
  },
)

test('every value can be overridden, and one that is not said counts for nothing', () => {
  const overrides = { columns: 32, dpi: 180, qr: 'raster', beforeHex: '1b40', codePage: 0, confirm: 'none' } as const
  expect(settingsOf('epson-tm-t88', overrides)).toMatchObject(overrides)
  const unsaid = { columns: undefined } as unknown as Parameters<typeof settingsOf>[1]
  expect(settingsOf('epson-tm-t88', unsaid)).toEqual(settingsOf('epson-tm-t88', {}))
})

test('a printer that nobody knows is asked for nothing that it may not have', () => {
  expect(settingsOf('generic', {})).toMatchObject({
    encoding: 'ascii',
    qr: 'raster',
    answers: 'maybe',
    confirm: 'status',
  })
})

test('a presenter cuts by itself, and hands over what it has cut', () => {
  expect(settingsOf('custom-vkp80iii', {})).toMatchObject({ cut: 'present', notTaken: 'keep', confirm: 'custom' })
})

test('the documents say what each profile is for and was tested with', () => {
  const document = readFileSync('docs/technician-reference.md', 'utf8')
  // Said once, above the table.
  const ofAll = ', virtual printer; no real one yet'
  const rows = Object.entries(PROFILE_NOTES).map(
    ([name, note]) => `| \`${name}\` | ${note.printers} | ${note.testedWith.replace(ofAll, '')} |`,
  )
  expect(document).toContain('No profile has been tested with a real printer yet, unless its row says so')
  expect(document).toContain(rows.join('\n'))
})

test.each(PRINTER_PROFILES)('the settings of %s fit one another', (profile) => {
  expect(misfitOf(settingsOf(profile, {}))).toBeUndefined()
})

test.each([
  ['star-line', { confirm: 'status' }, 'confirm'],
  ['epson-tm-t20', { confirm: 'star' }, 'confirm'],
  ['star-tsp100', { cut: 'present' }, 'cut'],
  ['custom-kpm', { cut: 'none' }, 'confirm'],
  ['custom-kpm', { notTaken: 'retract' }, 'not_taken'],
] as const)('%s with %j is refused, and the setting is named', (profile, overrides, setting) => {
  expect(misfitOf(settingsOf(profile, overrides))).toMatchObject({ setting })
})

describe.each(['nippon', 'snbc', 'pos-58', 'pos-80'] as const)(
  'on a clone with the oldest commands a receipt of %s',
  (profile) => {
    const settings = settingsOf(profile, {})
    const sale = receipt()
    const printed = () => print(encodeReceipt(sale, settings), settings, undefined, PRINTER_KINDS.clone)

    test('holds nothing that is printed as text', () => {
      const { papers, unknownCommands } = printed()
      expect(unknownCommands).toEqual([])
      expect(papers[0]?.text).toContain(sale.document.zki)
    })

    test.skipIf(skipWithout('zbarimg'))('has a code that is read', () => {
      expectQr(printed().papers[0]?.png() ?? Buffer.of(), sale.qrPayload ?? '')
    })
  },
)

const KIOSK_LINES = ['custom-vkp80iii', 'custom-kpm'] as const
test.each(KIOSK_LINES)('at its 19,200 baud a receipt has left the line to %s within 3 s', (profile) => {
  const settings = settingsOf(profile, {})
  for (const changes of [{}, { jir: null }, { language: 'en' } as const]) {
    const bytes = bytesOf(encodeReceipt(receipt(changes), settings)).length
    expect((bytes * 10) / settings.baudRate).toBeLessThan(3)
  }
})
