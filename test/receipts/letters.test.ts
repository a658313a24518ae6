import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ENCODINGS } from '../../src/domain/printer.ts'
import { charactersOf } from '../../src/receipts/code-pages.ts'
import { Job } from '../../src/receipts/job.ts'
import { printable } from '../../src/receipts/letters.ts'
import { settingsOf } from '../../src/receipts/profiles.ts'

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
])('a printer of ASCII alone gets %s as people write it: %s', (text, expected) => {
  expect(printable(text, 'ascii')).toBe(expected)
})

test('what is not Croatian loses its accents before it is spelled out', () => {
  expect(printable('crème brûlée ñandú Åse', 'ascii')).toBe('creme brulee nandu Ase')
  expect(printable('5 € ½ „tako” – 中文', 'ascii')).toBe('5 EUR 1/2 "tako" - ZhongWen')
})

test('the euro sign is spelled where a page lacks it', () => {
  expect(printable('€', 'cp852')).toBe('EUR')
  expect(printable('€', 'windows1250')).toBe('€')
})

test('what cannot be written at all is left out', () => {
  expect(printable('a\u{e000}b\ud800c\u{10ffff}d', 'cp852')).toBe('abcd')
})

test('a question mark stands only where there was one', () => {
  expect(printable('Što? 中\u{e000}', 'ascii')).toBe('Sto? Zhong')
})

test('commands in a name are spaces on paper', () => {
  expect(printable('a\x10\x04\x01b\x1b@c\x1dV\0d\x9be\r\nf\tg', 'cp852')).toBe('a   b @c V d e  f g')
})

test('marks of direction and joiners are dropped, and every kind of space is a space', () => {
  expect(printable('a\u202eb\u200bc\u2066d\ufeffe\u00adf\u00a0g\u2003h', 'windows1250')).toBe('abcdef g h')
})

test('of any text, only characters that the page has come out', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(...ENCODINGS), (text, encoding) => {
      const page = charactersOf(encoding)
      const isOnPage = (char: string) => char >= ' ' && (char <= '~' || page.has(char))
      expect([...printable(text, encoding)].every(isOnPage)).toBe(true)
    }),
    { numRuns: 200 },
  )
})

test.each(ENCODINGS)('the library writes every character of %s as one byte of its own', (encoding) => {
  const characters = [...charactersOf(encoding)].join('')
  const job = new Job(settingsOf('generic', { encoding, codePage: 7, cut: 'none', feedLines: 0 }))
  job.sample('', `${characters}!`, { encoding, codePage: 7 })
  const bytes = Buffer.concat(job.end().segments)
  const start = bytes.lastIndexOf(Buffer.from([0x1b, 0x74, 7])) + 3
  const written = bytes.subarray(start + 1, bytes.indexOf('!', start)).filter((byte) => byte !== 0x0a)
  expect(new Set(written).size).toBe(characters.length)
  expect(written).not.toContain(0x3f)
})
