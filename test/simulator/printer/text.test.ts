import { expect, test } from 'vitest'
import { Machine, type MachineOptions } from '../../../src/simulator/index.ts'
import { escpos } from '../../support/printer.ts'

const ESC = 0x1b
const FS = 0x1c
const GS = 0x1d
const LF = 0x0a

function printed(parts: (string | number)[], options: MachineOptions = {}) {
  const machine = new Machine(options)
  machine.receive(escpos(...parts))
  return { machine, text: machine.papers.map(({ text }) => text).join('\n---\n') }
}

test('text is printed line by line, and a line that is not ended stays in the printer', () => {
  expect(printed(['one', LF, LF, 'two', LF, 'three']).text).toBe('one\n\ntwo')
})

test('a line that is longer than the paper goes on in the next one, by the width of its characters', () => {
  const wide = [ESC, '@', GS, '!', 0x10, 'a'.repeat(25), LF]
  expect(printed(['a'.repeat(49), LF]).text).toBe(`${'a'.repeat(48)}\na`)
  expect(printed(['a'.repeat(33), LF], { dots: 384 }).text).toBe(`${'a'.repeat(32)}\na`)
  expect(printed(['a'.repeat(43), LF], { dots: 512, dpi: 180 }).text).toBe(`${'a'.repeat(42)}\na`)
  expect(printed(wide).text).toBe(`${'a'.repeat(24)}\na`)
})

test.each([
  ['cp852', 18, [0x9f, 0x86, 0xd0, 0xe7, 0xa7, 0xac, 0x8f, 0xd1, 0xe6, 0xa6]],
  ['windows1250', 45, [0xe8, 0xe6, 0xf0, 0x9a, 0x9e, 0xc8, 0xc6, 0xd0, 0x8a, 0x8e]],
  ['iso8859-2', 39, [0xe8, 0xe6, 0xf0, 0xb9, 0xbe, 0xc8, 0xc6, 0xd0, 0xa9, 0xae]],
])('the Croatian letters of %s are printed under its number', (_name, number, letters) => {
  expect(printed([ESC, 't', number, ...letters, LF]).text).toBe('čćđšžČĆĐŠŽ')
})

test('with the wrong page the same bytes are other letters, and an unset page leaves it as it was', () => {
  expect(printed([0x9f, 0x86, 0xd0, LF]).text).toBe('ƒå╨')
  expect(printed([ESC, 't', 16, 0x80, 0x8a, LF]).text).toBe('€Š')
  expect(printed([ESC, 't', 99, 0x9f, LF]).text).toBe('ƒ')
  expect(printed([ESC, 't', 47, 0xe8, LF], { codePages: { 0: 'cp437', 47: 'windows1250' } }).text).toBe('č')
})

test('ESC R puts a nation letters in the place of signs', () => {
  expect(printed([ESC, 'R', 14, '@[\\]^`{|}~', LF]).text).toBe('ŽŠĐĆČžšđćč')
  expect(printed([ESC, 'R', 14, ESC, '@', '@', LF]).text).toBe('@')
})

test('a clone that starts in Chinese mode takes two bytes for a character, until FS . and again after ESC @', () => {
  const letters = [ESC, 't', 18, 0xd0, 0xd0, LF]
  expect(printed(letters, { chinese: true }).text).toBe('行')
  expect(printed([FS, '.', ...letters], { chinese: true }).text).toBe('đđ')
  expect(printed([FS, '.', ESC, '@', ...letters], { chinese: true }).text).toBe('行')
  expect(printed([FS, '&', ...letters]).text).toBe('行')
})

test('ESC a centres and aligns right, but not inside of a line', () => {
  expect(printed([ESC, 'a', 1, 'ab', LF, ESC, 'a', 2, 'ab', LF, ESC, 'a', 0, 'ab', LF]).text).toBe(
    `${' '.repeat(23)}ab\n${' '.repeat(46)}ab\nab`,
  )
  const inside = printed(['a', ESC, 'a', 1, 'b', LF])
  expect(inside.text).toBe('ab')
  expect(inside.machine.refused).toEqual(['ESC a inside of a line'])
})

test('margins and spacing move what is printed', () => {
  expect(printed([GS, 'L', 24, 0, 'a', LF]).text).toBe('  a')
  expect(printed([GS, 'W', 36, 0, 'abcd', LF]).text).toBe('abc\nd')
  expect(printed([ESC, ' ', 12, 'a'.repeat(25), LF]).text).toBe(`${'a'.repeat(24)}\na`)
  // Units of 1/100 inch: 100 of them are 203 dots, 17 characters.
  expect(printed([GS, 'P', 100, 100, GS, 'L', 100, 0, 'a', LF]).text).toBe(`${' '.repeat(17)}a`)
})

test('NUL, CR, CAN and other control characters print nothing', () => {
  const { text, machine } = printed([0, 0, 'a', 0x0d, 0x18, 0x0c, 'b', 0x07, LF, 0x0d])
  expect(text).toBe('ab')
  expect(machine.bells).toBe(1)
  expect(machine.unknownCommands).toEqual([])
})

test('what it does not know is noted, and printed as the text that it is not', () => {
  const { text, machine } = printed([ESC, 'zX', LF, GS, '(', 'Zab', LF])
  expect(text).toBe('zX\n(Zab')
  expect(machine.unknownCommands).toEqual(['1b7a', '1d285a'])
})

test('ESC @ forgets the line that was begun and everything that was set', () => {
  expect(printed(['lost', ESC, 't', 18, ESC, 'a', 1, ESC, '@', 0x9f, LF]).text).toBe('ƒ')
})

test('a cut ends a receipt; what is below the knife is on the next one', () => {
  const feed = printed(['one', LF, GS, 'V', 66, 0, 'two', LF, GS, 'V', 65, 0])
  expect(feed.machine.papers).toMatchObject([
    { text: 'one', cut: true },
    { text: 'two', cut: true },
  ])
  expect(printed(['one', LF, GS, 'V', 0, 'two', LF]).machine.papers).toMatchObject([{ text: 'one\ntwo', cut: false }])
  // 14 mm are 112 dots, not quite four lines.
  expect(printed(['one', LF, 'two', LF, ESC, 'd', 3, GS, 'V', 0]).text).toBe('one\n---\ntwo')
  expect(printed(['one', LF, 'two', LF, ESC, 'd', 4, GS, 'V', 1]).text).toBe('one\ntwo')
})

test('a cut inside of a line is refused', () => {
  const { machine } = printed(['one', LF, ESC, 'd', 5, 'two', GS, 'V', 0, GS, 'V', 66, 0])
  expect(machine.papers).toMatchObject([{ cut: false }])
  expect(machine.refused).toEqual(['GS V inside of a line', 'GS V inside of a line'])
})

test('feeds are as long as they say', () => {
  const height = (...parts: (string | number)[]) => printed([...parts, 'x', LF]).machine.papers[0]?.height
  expect(height()).toBe(30)
  expect(height(ESC, 'd', 3)).toBe(4 * 30)
  expect(height(ESC, 'J', 7)).toBe(37)
  expect(height(ESC, '3', 40, LF)).toBe(80)
  expect(height(ESC, '3', 40, ESC, '2', LF)).toBe(60)
  // A line is never printed over the one before it.
  expect(height(ESC, '3', 0)).toBe(24)
  expect(height(GS, '!', 0x11)).toBe(48)
})
