import { expect, test } from 'vitest'
import { Machine, type MachineOptions } from '../../../src/simulator/index.ts'
import { escpos, listenTo } from '../../support/printer.ts'

const GS = 0x1d
const LF = 0x0a
const ACK = 0x06
const NAK = 0x15

/** A picture of 16 x 2 dots for a key. */
const define = (key: string) => [GS, '(L', 15, 0, 48, 67, 48, key, 1, 16, 0, 2, 0, 49, 0xff, 0, 0, 0xff]
const show = (key: string, scale = 1) => [GS, '(L', 6, 0, 48, 69, key, scale, scale]
const list = [GS, '(L', 4, 0, 48, 64, 'KC']

function start(options: MachineOptions = {}) {
  const machine = new Machine(options)
  const heard = listenTo(machine)
  const text = (...parts: (string | number)[]) => {
    heard.length = 0
    machine.receive(escpos(...parts))
    return Buffer.from(heard).toString('latin1')
  }
  return { machine, text }
}

test('a picture is kept by its key, also without power, and printed by it', () => {
  const { machine, text } = start()
  text(...define('A1'))
  machine.powerOff()
  machine.powerOn()
  text(...show('A1'), ...show('A1', 2))
  expect(machine.papers).toMatchObject([{ text: '[picture 32 x 6]', height: 6 }])
  expect([machine.unknownCommands, machine.refused]).toEqual([[], []])
})

test('GS 8 L has a longer length', () => {
  const { machine, text } = start()
  const [, , low = 0, , ...data] = define('A1')
  text(GS, '8L', low, 0, 0, 0, ...data, ...show('A1'))
  expect(machine.papers).toMatchObject([{ text: '[picture 16 x 2]' }])
})

test('it lists its keys, and takes the next byte for the response', () => {
  const { text } = start()
  expect(text(...list)).toBe('7r@\0')
  expect(text(ACK, ...define('A1'), ...define('B2'), ...list)).toBe('7r@A1B2\0')
  expect(text(NAK)).toBe('7r@A1B2\0')
  expect(text(ACK)).toBe('')
})

test('more than forty keys come in blocks', () => {
  const { text } = start()
  const keys = Array.from({ length: 41 }, (_, n) => `K${String.fromCharCode(48 + n)}`)
  expect(text(...keys.flatMap(define), ...list)).toBe(`7rA${keys.slice(0, 40).join('')}\0`)
  expect(text(ACK)).toBe(`7r@${keys[40]}\0`)
})

test('what is written and deleted is counted, for memory wears out', () => {
  const { machine, text } = start()
  text(...define('A1'), ...define('A1'), ...show('A1'), GS, '(L', 4, 0, 48, 66, 'A1', ...show('A1'))
  expect(machine.graphicsWrites).toEqual({ A1: 3 })
  expect(machine.refused).toEqual(['graphics that are not there'])
})

test('a picture in the print buffer is printed once', () => {
  const { machine, text } = start()
  const store = [GS, '(L', 12, 0, 48, 112, 48, 1, 2, 49, 8, 0, 2, 0, 0xff, 0xff]
  const print = [GS, '(L', 2, 0, 48, 50]
  text(...store, ...print, ...print)
  expect(machine.papers).toMatchObject([{ text: '[picture 8 x 4]' }])
  expect(machine.refused).toEqual(['graphics that are not there'])
})

test('it is refused inside of a line, and unknown to cheap printers', () => {
  const { machine, text } = start()
  text('x', ...define('A1'))
  expect(machine.refused).toEqual(['GS ( L inside of a line'])
  const cheap = start({ withoutGraphics: true })
  cheap.text(...show('A1'), LF)
  expect(cheap.machine.unknownCommands).toEqual(['1d284c'])
})
