import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clean, columns, fields, lines, paragraph, shorten } from '../../../src/cli/text/columns.ts'
import { PLAIN_SCREEN } from '../../../src/cli/text/screen.ts'
import { table } from '../../../src/cli/text/table.ts'
import { duration, localTime, withDistance } from '../../../src/cli/text/times.ts'

test('a composed and a decomposed letter take one column, an ideograph and an emoji two', () => {
  expect([columns('ŽŠĆ'), columns('Z\u030C'), columns('咖啡'), columns('☕')]).toEqual([3, 1, 4, 2])
})

test('a text is shortened to its column with an ellipsis, never through a wide letter', () => {
  expect(shorten('Žućo d.o.o.', 11)).toBe('Žućo d.o.o.')
  expect(shorten('Žućo d.o.o.', 5)).toBe('Žućo…')
  expect(columns(shorten('咖啡咖啡', 4))).toBeLessThanOrEqual(4)
})

test('control characters, line breaks and direction marks of stored text never reach a terminal', () => {
  expect(clean('a\u001b[31mb\r\nc\u202Ed')).toBe('a [31mb c\\u202ed')
})

test('two names that look alike are told apart, and a name in quotes stays on one line', () => {
  expect(new Set(['Šank', '\u200bŠank', 'A B', 'A\u202eB', 'A\u0085B'].map(clean)).size).toBe(5)
  expect(lines('Once more: fisk isu set "Lobby  1 west" NUMBER', 26)).toContain('"Lobby  1 west" NUMBER')
})

test('words longer than a line are broken, and nothing is lost', () => {
  const text = `ab ${'x'.repeat(25)} cd`
  expect(lines(text, 10).every((line) => line.length <= 10)).toBe(true)
  expect(lines(text, 10).join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
})

test('a paragraph without room beside its beginning comes to an end, and nothing is lost', () => {
  expect(lines('ab 咖啡', 1)).toEqual(['a', 'b', '咖', '啡'])
  expect(lines('ab', 0).join('')).toBe('ab')
  expect(paragraph('x'.repeat(90), 'one two three four five')).toBe(
    `${'x'.repeat(90)}one two three four\n${' '.repeat(90)}five\n`,
  )
})

test('names and values are aligned and long values go on under their own beginning', () => {
  expect(
    fields([
      ['a', '1'],
      ['long', 'x '.repeat(60)],
      ['none', null],
    ]),
  ).toBe(`a     1\nlong  ${'x '.repeat(37).trim()}\n      ${'x '.repeat(23).trim()}\n`)
})

test('a table keeps to its screen, and keeps the names readable on one that is too narrow for it', () => {
  const layout = [{ head: 'Company' }, { head: 'OIB', width: 11 }, { head: 'Certificate', width: 22 }]
  const rows = [['Kava i žućo d.o.o. za usluge', '12345678903', 'valid, 300 days']]
  const at = (width: number) => table(layout, rows, { ...PLAIN_SCREEN, columns: width }).split('\n')[1]
  expect(at(80)).toBe(`  Kava i žućo d.o.o. za usluge${' '.repeat(15)}12345678903  valid, 300 days`)
  expect(at(60)).toBe('  Kava i žućo d.o.o. z…  12345678903  valid, 300 days')
  expect(at(40)).toBe('  Kava i žućo…  12345678903  valid, 300 days')
})

test('what is broken or shortened fits, whatever its letters are, and no letter is cut through', () => {
  const letters = fc.constantFrom('a', ' ', 'č', '咖', '☕', '𠀀', 'Z\u0301', 'e\u0323\u0302', '\u001b[31m')
  const text = fc.oneof(fc.string({ unit: letters, maxLength: 60 }), fc.string({ unit: 'grapheme' }))
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 40 }), (text, width) => {
      const broken = lines(text, width)
      expect(Math.max(0, ...broken.map(columns), columns(shorten(text, width)))).toBeLessThanOrEqual(width)
      expect(broken.join('').replaceAll(' ', '')).toBe(clean(text).replaceAll(' ', ''))
      expect(shorten(text, width)).not.toMatch(/\p{Surrogate}/u)
    }),
  )
})

test('times are shown in Europe/Zagreb, in summer and in winter', () => {
  expect(localTime('2026-07-21T12:00:00Z')).toBe('21.07.2026 14:00:00')
  expect(localTime('2026-12-21T12:00:00Z')).toBe('21.12.2026 13:00:00')
  expect(localTime(null)).toBeNull()
})

test('a length of time shows its two largest units', () => {
  expect([duration(40), duration(725), duration(7_500), duration(86_400)]).toEqual([
    '40 s',
    '12 min',
    '2 h 5 min',
    '1 d 0 h',
  ])
  expect(withDistance('2026-07-21T12:00:00Z', '2026-07-21T11:59:20Z')).toBe('21.07.2026 14:00:00 (in 40 s)')
})
