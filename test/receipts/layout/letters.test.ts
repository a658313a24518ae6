import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PRINTER_CHOICES } from '../../../src/domain/printer.ts'
import { charactersOf, encodeText } from '../../../src/receipts/escpos/code-pages.ts'
import { printable } from '../../../src/receipts/layout/letters.ts'

const CROATIAN = 'čćđšžČĆĐŠŽ'

test.each(['cp852', 'windows1250', 'iso8859-2'] as const)('Croatian letters stay as they are in %s', (encoding) => {
  expect(printable(CROATIAN, encoding)).toBe(CROATIAN)
})

test('letters that are put together from two are the same letters', () => {
  expect(printable('c\u030cc\u0301s\u030cz\u030c', 'cp852')).toBe('čćšž')
})

test.each([
  ['čćšžđ ČĆŠŽ', 'ccszdj CCSZ'],
  ['Đuro MEĐU ĐURO, vođa, Đ', 'Djuro MEDJU DJURO, vodja, Dj'],
  ['A ĐURO', 'A DJURO'],
  ['OVO NIJE FISKALIZIRANI RAČUN', 'OVO NIJE FISKALIZIRANI RACUN'],
])('a printer of ASCII alone gets %s as people write it: %s', (text, expected) => {
  expect(printable(text, 'ascii')).toBe(expected)
})

test('what is not Croatian loses its accents before it is spelled out', () => {
  expect(printable('crème brûlée ñandú Åse', 'ascii')).toBe('creme brulee nandu Ase')
  expect(printable('5 € ½ „tako” – Кафа', 'ascii')).toBe('5 EUR 1/2 "tako" - Kafa')
})

test('the euro sign is spelled where a page lacks it', () => {
  expect(printable('€', 'cp852')).toBe('EUR')
  expect(printable('€', 'windows1250')).toBe('€')
})

test('what cannot be written at all is left out', () => {
  expect(printable('a\u{e000}b\ud800c\u{10ffff}d', 'cp852')).toBe('abcd')
})

test('a question mark stands only where there was one', () => {
  expect(printable('Što? 文\u{e000}', 'ascii')).toBe('Sto? Wen')
  expect(printable('¿Qué？ \ufffd\ufffc؟', 'ascii')).toBe('Que? ')
})

test('no character becomes a question mark but those that are one in another shape', () => {
  const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
  const asking = all.filter((char) => printable(char, 'ascii').includes('?'))
  expect(asking.map((char) => char.codePointAt(0)?.toString(16))).toEqual([
    '3f',
    '2047',
    '2048',
    '2049',
    'fe16',
    'fe56',
    'ff1f',
  ])
})

test.each(PRINTER_CHOICES.encoding)(
  'faces, flags and colours of skin are left out of %s, and signs of ordinary text are not',
  (encoding) => {
    expect(printable('Kava 😀☕❤️👍🏽🇭🇷❌🆗👨‍👩‍👧!', encoding)).toBe('Kava !')
    expect(printable('Cola® Bio™ ‼', encoding)).toMatch(/^Cola(®|\(R\)) Bio(™|TM) !!$/)
  },
)

test('no character makes a text much longer', () => {
  expect(printable('a\ufdfab', 'ascii')).toBe('ab')
  const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code))
  expect(all.filter((char) => printable(char, 'ascii').length > 5)).toEqual([])
})

test.each([
  ['1½ l, 2¼ i ¾', '1 1/2 l, 2 1/4 i 3/4'],
  ['1⁄2', '1/2'],
  ['5‰ i 3 ‱', '5 o/oo i 3 o/ooo'],
])('a share is never read as another one: %s', (text, expected) => {
  expect(printable(text, 'ascii')).toBe(expected)
})

test('a sign that the page has stays as it is', () => {
  expect(printable('5‰', 'windows1250')).toBe('5‰')
})

test('two letters in one are two letters, and keep their hook', () => {
  expect(printable('ǆep ǅep Ǆ ǉ ǈ Ǉ ǌ ǋ Ǌ', 'cp852')).toBe('džep Džep DŽ lj Lj LJ nj Nj NJ')
  expect(printable('ǆep Ǆ', 'ascii')).toBe('dzep DZ')
})

test('the Icelandic eth of old data is the Croatian letter that it looks like', () => {
  expect(printable('Ðuro međa', 'cp852')).toBe('Đuro međa')
  expect(printable('Ðuro mað', 'windows1250')).toBe('Đuro mađ')
  expect(printable('Ðuro að', 'ascii')).toBe('Djuro adj')
})

test('commands in a name are spaces on paper', () => {
  expect(printable('a\x10\x04\x01b\x1b@c\x1dV\0d\x9be\r\nf\tg', 'cp852')).toBe('a   b @c V d e  f g')
})

test('marks of direction and joiners are dropped, and every kind of space is a space', () => {
  expect(printable('a\u202eb\u200bc\u2066d\ufeffe\u00adf\u00a0g\u2003h', 'windows1250')).toBe('abcdef g h')
})

test('of any text, only characters that the page has come out', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...PRINTER_CHOICES.encoding), (text, encoding) => {
      const page = charactersOf(encoding)
      const isOnPage = (char: string) => char >= ' ' && (char <= '~' || page.has(char))
      expect([...printable(text, encoding)].every(isOnPage)).toBe(true)
    }),
    { numRuns: 200 },
  )
})

test.each(PRINTER_CHOICES.encoding)('every character of %s is one byte of its own', (encoding) => {
  const characters = [...charactersOf(encoding)].join('')
  const written = encodeText(characters, encoding)
  expect(new Set(written).size).toBe(characters.length)
  expect(written).not.toContain(0x3f)
})

test.each([
  ['windows1250', 'windows-1250'],
  ['iso8859-2', 'iso-8859-2'],
] as const)('bytes in %s are those that text decoders know', (encoding, label) => {
  const text = [...charactersOf(encoding), 'Aa~'].join('')
  expect(new TextDecoder(label).decode(encodeText(text, encoding))).toBe(text)
})
