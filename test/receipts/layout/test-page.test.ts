import { expect, test } from 'vitest'
import { warmUp } from '../../../src/receipts/encoding/warm-up.ts'
import { settingsOf } from '../../../src/receipts/escpos/printer-profiles.ts'
import { encodeTestPage } from '../../../src/receipts/layout/test-page.ts'
import { print } from '../escpos/golden/print.ts'

function pageOf(settings: ReturnType<typeof settingsOf>) {
  const page = print(encodeTestPage(settings, { line: 'serial:/dev/ttyUSB0', profile: 'epson-tm-t20' }), settings)
  return { ...page, text: page.papers[0]?.text ?? '' }
}

test('the letters come out right beside the name of the page that the printer has them on', () => {
  const { text, unknownCommands, refused } = pageOf(settingsOf('epson-tm-t20', {}))
  expect({ unknownCommands, refused }).toEqual({ unknownCommands: [], refused: [] })
  expect(text).toContain('cp852 18:        čćđšžČĆĐŠŽEUR')
  expect(text).toContain('windows1250 45:  čćđšžČĆĐŠŽ€')
  expect(text).toContain('iso8859-2 39:    čćđšžČĆĐŠŽEUR')
  // A page that this printer does not have.
  expect(text).toMatch(/windows1250 72: {2}(?!čćđšž)/)
})

test('it says how the printer is set', () => {
  const { text } = pageOf(settingsOf('epson-tm-t20', { feedLines: 7 }))
  for (const line of ['line: serial:/dev/ttyUSB0', 'columns: 48', 'code_page: 18', 'feed_lines: 7', 'before_hex: -']) {
    expect(text).toContain(line)
  }
})

test.each([32, 35, 42, 44, 48] as const)('the ruler is one line of exactly %i characters', (columns) => {
  const { text } = pageOf(settingsOf('generic', { columns }))
  const ruler = text.split('\n').find((line) => line.startsWith('1...5'))
  expect(ruler).toHaveLength(columns)
  expect(ruler?.indexOf('20')).toBe(18)
})

test.each(['native', 'raster'] as const)(
  'a printer set to a %s QR code shows that one first, and then the other',
  (qr) => {
    const { text, papers } = pageOf(settingsOf('epson-tm-t20', { qr }))
    const other = qr === 'native' ? 'raster' : 'native'
    expect(text.indexOf(`QR code as it is set, ${qr}:`)).toBeLessThan(text.indexOf(`QR code, ${other}:`))
    expect(papers[0]?.qrs).toHaveLength(1)
    expect(papers[0]?.cut).toBe(true)
  },
)

test('warming up needs no printer and leaves nothing behind', () => {
  expect(warmUp(settingsOf('generic', {}))).toBeUndefined()
})
