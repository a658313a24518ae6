import { describe, expect, test } from 'vitest'
import { Machine, type MachineOptions } from '../../../src/simulator/index.ts'
import { escpos, expectQr, listenTo } from '../../support/printer.ts'
import { skipWithout } from '../../support/tools.ts'

const LF = 0x0a
const ESC = 0x1b
const GS = 0x1d
const RS = 0x1e
const FEED_AND_CUT = [ESC, 'd', 3]

function printed(parts: (string | number)[], options: MachineOptions = {}) {
  const machine = new Machine({ commands: 'star_line', ...options })
  machine.receive(escpos(...parts))
  return { machine, text: machine.papers.map(({ text }) => text).join('\n---\n') }
}

function answers(parts: (string | number)[]): number[] {
  const machine = new Machine({ commands: 'star_line' })
  const heard = listenTo(machine)
  machine.receive(escpos(...parts))
  return heard
}

/** How many letters fit on a line. */
function columns(...parts: (string | number)[]): number {
  return printed([...parts, 'a'.repeat(200), LF]).text.split('\n')[0]?.length ?? 0
}

function height(...parts: (string | number)[]): number | undefined {
  return printed([...parts, LF]).machine.papers[0]?.height
}

test('text comes out line by line, in the page and the set that are chosen', () => {
  expect(printed(['one', LF, LF, 'two', LF, 'three']).text).toBe('one\n\ntwo')
  expect(printed([ESC, GS, 't', 5, 0xe7, 0x9f, 0xd0, LF]).text).toBe('ščđ')
  expect(printed([ESC, GS, 't', 33, 0x9a, 0xe8, 0xf0, LF]).text).toBe('ščđ')
  expect(printed([ESC, 'R', 2, '{}', LF, ESC, 'R', '0', '{}', LF]).text).toBe('äü\n{}')
})

test('ESC i, W and h make letters larger, by numbers and by digits', () => {
  expect([columns(), columns(ESC, 'i', 1, 1), columns(ESC, 'W', '1'), columns(ESC, 'W', 2)]).toEqual([48, 24, 24, 16])
  expect([columns(ESC, 'i', 1, 0), columns(ESC, 'W', 1, ESC, '@'), columns(0x0e), columns(0x0e, 0x14)]).toEqual([
    48, 48, 24, 48,
  ])
  expect([height('a'), height(ESC, 'h', 1, 'a'), height(ESC, 'i', '2', '0', 'a')]).toEqual([32, 48, 72])
})

test('the pitch and the small font say how many letters are on a line', () => {
  expect([columns(ESC, 'P'), columns(ESC, ':'), columns(ESC, 'g'), columns(ESC, 'P', ESC, 'M')]).toEqual([
    38, 36, 41, 48,
  ])
  expect([columns(ESC, RS, 'F', 1), columns(ESC, RS, 'F', '1', ESC, RS, 'F', '0')]).toEqual([64, 48])
})

test('lines are 4 mm apart, or 3 mm, and feeds are as long as they say', () => {
  expect([height('a', LF), height(ESC, 'z', 0, 'a', LF), height(ESC, '0', 'a', LF)]).toEqual([64, 48, 48])
  expect(height(ESC, '0', ESC, 'z', '1', 'a', LF)).toBe(64)
  expect([height(ESC, 'J', 12, 'a'), height(ESC, 'I', 12, 'a'), height(ESC, 'a', 2, 'a')]).toEqual([56, 44, 96])
})

test('ESC GS a aligns, and only at the start of a line', () => {
  expect(printed([ESC, GS, 'a', 1, 'mid', LF, ESC, GS, 'a', '2', 'end', LF]).text).toBe(
    `${' '.repeat(23)}mid\n${' '.repeat(45)}end`,
  )
  expect(printed(['a', ESC, GS, 'a', 1, LF]).machine.refused).toEqual(['ESC GS a inside of a line'])
})

test('ESC GS A moves on in the line', () => {
  expect(printed(['a', ESC, GS, 'A', 120, 0, 'b', LF]).text).toBe('a         b')
})

test('ESC d cuts where the paper is, or at the cutter, and prints what is in the line before', () => {
  expect(printed(['one', ...FEED_AND_CUT, 'two', LF]).machine.papers).toMatchObject([
    { text: 'one', cut: true },
    { text: 'two', cut: false },
  ])
  // 14 mm are 112 dots: three lines are below the knife.
  expect(printed(['one', LF, 'two', LF, ESC, 'a', 3, ESC, 'd', 0]).text).toBe('one\n---\ntwo')
})

test('what it does not know is noted', () => {
  const { machine, text } = printed([GS, 'V', 66, 0, ESC, '(x', LF])
  expect(text).toBe('VB(x')
  expect(machine.unknownCommands).toEqual(['1b28'])
})

test('ENQ and EOT are answered wherever they stand, as parameters too', () => {
  expect(answers([ESC, GS, 't', 5, 'x', LF])).toEqual([0])
  expect(answers([ESC, 'a', 4])).toEqual([0x10])
})

describe('a native QR code', () => {
  const qr = (data: string, size: number, level: number) => [
    ...[ESC, GS, 'yS0', 2, ESC, GS, 'yS1', level, ESC, GS, 'yS2', size],
    ...[ESC, GS, 'yD1', 0, data.length, 0, data, ESC, GS, 'yP'],
  ]

  test('is drawn in the size and level that are set, and aligned', () => {
    const { machine } = printed([ESC, GS, 'a', 1, ...qr('hello', 5, 1), ...FEED_AND_CUT])
    const [paper] = machine.papers
    expect(paper).toMatchObject({ qrs: ['hello'], qrDots: [105] })
  })

  test.skipIf(skipWithout('zbarimg'))('is drawn so that a stranger reads it', () => {
    const { machine } = printed([...qr('hello', 5, 1), ...FEED_AND_CUT])
    expectQr(machine.papers[0]?.png() ?? Buffer.alloc(0), 'hello')
  })

  test('prints what is in the line first, and is not printed where it is too wide', () => {
    expect(printed(['a', ...qr('hello', 8, 3)]).text).toMatch(/^a\n\[QR/)
    expect(printed(qr('x'.repeat(90), 8, 3), { dots: 384 }).machine.refused).toEqual(['QR wider than the paper'])
  })

  test('ESC GS y I tells how large it would be', () => {
    expect(answers([...qr('hello!', 6, 1).slice(0, -3), ESC, GS, 'yI'])).toEqual([ESC, GS, 0x79, 0x49, 126, 0])
  })
})

describe('a bit image', () => {
  const size = (...parts: (string | number)[]) => {
    const { machine } = printed(parts)
    expect(machine.unknownCommands).toEqual([])
    return machine.papers[0]?.height
  }

  test('is 24 dots high in every command, and is a part of the line', () => {
    expect(size(ESC, '0', ESC, 'K', 2, 0, 0xff, 0xff, LF)).toBe(24)
    expect(size(ESC, '0', ESC, 'L', 2, 0, 0xff, 0xff, LF)).toBe(24)
    expect(size(ESC, '0', ESC, 'X', 1, 0, 0xff, 0xff, 0xff, LF)).toBe(24)
    expect(size(ESC, '0', ESC, 'k', 1, 0, ...Array<number>(24).fill(0xff), LF)).toBe(24)
  })

  test('may have text beside it, and strips join at 3 mm', () => {
    const strip = [ESC, 'k', 1, 0, ...Array<number>(24).fill(0xff)]
    const { machine } = printed([ESC, '0', ...strip, ' one', LF, ...strip, ' two', LF])
    expect(machine.papers).toMatchObject([{ text: ' one\n two', height: 48 }])
  })

  test('ESC X has columns of 24 dots, ESC k has rows', () => {
    const columnOf = (...parts: (string | number)[]) => printed([ESC, '0', ...parts, LF]).machine.papers[0]?.png()
    const rows = Array.from({ length: 24 }, () => 0x80)
    expect(columnOf(ESC, 'X', 1, 0, 0xff, 0xff, 0xff)).toEqual(columnOf(ESC, 'k', 1, 0, ...rows))
  })
})
