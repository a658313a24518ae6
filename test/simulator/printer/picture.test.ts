import { PNG } from 'pngjs'
import { describe, expect, test } from 'vitest'
import { Machine, type MachineOptions } from '../../../src/simulator/index.ts'
import { escpos, expectQr } from '../../support/printer.ts'
import { skipWithout } from '../../support/tools.ts'

const ESC = 0x1b
const GS = 0x1d
const LF = 0x0a
const MARGIN = 33
const PAYLOAD = 'https://porezna.gov.hr/rn?zki=0123456789abcdef0123456789abcdef&datv=20260101_1234&izn=12,50'

function printed(parts: (string | number)[], options: MachineOptions = {}): Machine {
  const machine = new Machine(options)
  machine.receive(escpos(...parts))
  return machine
}

function pngOf(machine: Machine): Buffer {
  return machine.papers[0]?.png() ?? Buffer.of()
}

/** The picture inside of its margin, as rows of `#` and blanks, no longer than `width`. */
function dots(machine: Machine, width: number, height: number): string[] {
  const png = PNG.sync.read(pngOf(machine))
  const isBlack = (x: number, y: number) => (png.data[((y + MARGIN) * png.width + x + MARGIN) * 4] ?? 255) < 128
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => (isBlack(x, y) ? '#' : ' ')).join(''),
  )
}

/** The rectangle that holds all that is black. */
function blackBox(machine: Machine) {
  const png = PNG.sync.read(pngOf(machine))
  const places = Array.from({ length: png.width * png.height }, (_, place) => place).filter(
    (place) => (png.data[place * 4] ?? 255) < 128,
  )
  const columns = places.map((place) => place % png.width)
  const rows = places.map((place) => Math.floor(place / png.width))
  const left = columns.reduce((a, b) => Math.min(a, b))
  const top = rows.reduce((a, b) => Math.min(a, b))
  return {
    left: left - MARGIN,
    right: png.width - MARGIN - 1 - columns.reduce((a, b) => Math.max(a, b)),
    top: top - MARGIN,
    width: columns.reduce((a, b) => Math.max(a, b)) - left + 1,
    height: rows.reduce((a, b) => Math.max(a, b)) - top + 1,
  }
}

/** `GS ( k` as in Epson's reference: model 2, module size, level, store, print. */
function qr(payload: string, module: number, level: number): (string | number)[] {
  const length = payload.length + 3
  return [
    ...[GS, '(k', 4, 0, 49, 65, 50, 0],
    ...[GS, '(k', 3, 0, 49, 67, module],
    ...[GS, '(k', 3, 0, 49, 69, level],
    ...[GS, '(k', length & 255, length >> 8, 49, 80, 48, payload],
    ...[GS, '(k', 3, 0, 49, 81, 48],
  ]
}

describe('a native QR code', () => {
  test.skipIf(skipWithout('zbarimg'))('is drawn so that a stranger reads it, and is measured', () => {
    for (const [module, level] of [
      [3, 48],
      [4, 49],
      [8, 51],
    ] as const) {
      const machine = printed([ESC, 'a', 1, ...qr(PAYLOAD, module, level)])
      const [paper] = machine.papers
      expect(paper?.qrs).toEqual([PAYLOAD])
      expectQr(pngOf(machine), PAYLOAD)
      const box = blackBox(machine)
      expect(paper?.qrDots).toEqual([box.width])
      expect(box.height).toBe(box.width)
      expect(box.width % module).toBe(0)
      expect(Math.abs(box.left - box.right)).toBeLessThanOrEqual(1)
    }
  })

  test('has more modules at a higher level, and no margin of its own', () => {
    const sides = [48, 49, 50, 51].map((level) => printed(qr(PAYLOAD, 1, level)).papers[0]?.qrDots[0] ?? 0)
    expect(sides).toEqual([...new Set(sides)].sort((a, b) => a - b))
    expect(blackBox(printed(qr(PAYLOAD, 4, 49)))).toMatchObject({ left: 0, top: 0 })
  })

  test('is not printed inside of a line, nor when it is wider than the paper, nor when nothing is stored', () => {
    expect(printed(['x', ...qr(PAYLOAD, 4, 49), LF])).toMatchObject({
      papers: [{ text: 'x' }],
      refused: ['QR inside of a line'],
    })
    expect(printed(qr(PAYLOAD, 16, 49))).toMatchObject({ papers: [], refused: ['QR wider than the paper'] })
    expect(printed([GS, '(k', 3, 0, 49, 81, 48]).refused).toEqual(['QR of nothing, or of too much'])
  })

  test('is the text of its command where the printer does not know it', () => {
    const machine = printed([...qr('abc', 4, 49), LF], { withoutNativeQr: true })
    expect(machine.papers[0]?.qrs).toEqual([])
    expect(machine.papers[0]?.text).toBe('(k1A2(k1C(k1E1(k1P0abc(k1Q0')
    expect(new Set(machine.unknownCommands)).toEqual(new Set(['1d286b']))
  })
})

describe('GS v 0', () => {
  test('prints dots as they are, and several bands without a gap', () => {
    const band = [GS, 'v0', 0, 1, 0, 2, 0, 0b10100001, 0b00010000]
    const machine = printed([...band, ...band])
    expect(dots(machine, 9, 5)).toEqual(['# #    # ', '   #     ', '# #    # ', '   #     ', ' '.repeat(9)])
    expect(machine.papers[0]?.text).toBe('[picture 8 x 4]')
  })

  test('doubles width and height', () => {
    expect(dots(printed([GS, 'v0', 3, 1, 0, 1, 0, 0b01000000]), 6, 3)).toEqual(['  ##  ', '  ##  ', '      '])
  })

  test('is aligned, and cut off at the edge of the paper', () => {
    expect(blackBox(printed([ESC, 'a', 1, GS, 'v0', 0, 2, 0, 1, 0, 0xff, 0xff]))).toMatchObject({
      left: 280,
      width: 16,
    })
    expect(blackBox(printed([GS, 'v0', 0, 80, 0, 1, 0, ...Array(80).fill(0xff)]))).toMatchObject({ width: 576 })
  })

  test('inside of a line it is refused, and its data become text', () => {
    const machine = printed(['x', GS, 'v0', 0, 2, 0, 1, 0, 'ab', LF])
    expect(machine.papers[0]?.text).toBe('xab')
    expect(machine.refused).toEqual(['GS v 0 inside of a line'])
  })
})

test('ESC * prints columns, the uppermost dot first, in the line', () => {
  const machine = printed([ESC, '*', 33, 2, 0, 0x80, 0, 0, 0, 0, 0x01, LF])
  expect(dots(machine, 3, 24)).toEqual(['#  ', ...Array(22).fill('   '), ' # '])
  const single = printed([ESC, '*', 0, 1, 0, 0x80, LF])
  expect(dots(single, 3, 4)).toEqual(['## ', '## ', '## ', '   '])
})

test('characters are 12 x 24 dots, bigger, fat, underlined and white on black as they are asked for', () => {
  const black = (...parts: (string | number)[]) => dots(printed([...parts, 'A', LF]), 24, 48)
  const plain = black()
  const count = (rows: string[]) => rows.join('').replaceAll(' ', '').length
  expect(count(plain.map((row) => row.slice(12)))).toBe(0)
  expect(count(black(GS, '!', 0x11))).toBe(4 * count(plain))
  expect(count(black(ESC, '!', 0x30))).toBe(4 * count(plain))
  expect(count(black(ESC, 'E', 1))).toBeGreaterThan(count(plain))
  expect(black(ESC, 'G', 1)).toEqual(black(ESC, 'E', 1))
  expect(black(ESC, '-', 2).slice(22, 24)).toEqual(Array(2).fill('#'.repeat(12) + ' '.repeat(12)))
  expect(count(black(GS, 'B', 1))).toBe(12 * 24 - count(plain))
  expect(count(black(ESC, 'M', 1).map((row) => row.slice(9)))).toBe(0)
})

test.each([
  [203, 576, 33],
  [180, 512, 29],
] as const)('at %i dpi the picture has a margin of at least 4 mm', (dpi, width, margin) => {
  const png = PNG.sync.read(pngOf(printed(['x', LF], { dots: width, dpi })))
  expect(png.width).toBe(width + 2 * margin)
  expect(png.height).toBe(30 + 2 * margin)
  expect((margin / dpi) * 25.4).toBeGreaterThan(4)
})
