import { expect, test } from 'vitest'
import { Machine, type MachineOptions } from '../../../src/simulator/index.ts'
import { escpos, listenTo } from '../../support/printer.ts'

const ESC = 0x1b
const LF = 0x0a
const ENTER = [ESC, '*rA']
const QUIT = [ESC, '*rB']
const CONTINUOUS = [ESC, '*rP0', 0]
const row = (...data: number[]) => ['b', data.length, 0, ...data]
const rows = (count: number) => Array.from({ length: count }, () => row(0xff, 0xff)).flat()

function printed(parts: (string | number)[], options: MachineOptions = {}) {
  const machine = new Machine({ commands: 'star_raster', ...options })
  machine.receive(escpos(...parts))
  return machine
}

test('rows of dots are printed, and quitting feeds to the cutter and cuts', () => {
  const machine = printed([...ENTER, ...CONTINUOUS, ...rows(10), ...QUIT])
  expect(machine.papers).toMatchObject([{ text: '[picture 576 x 10]', cut: true, height: 10 }])
  expect(machine.unknownCommands).toEqual([])
})

test.each([
  ['1', { cut: false, height: 10 }],
  ['2', { cut: false, height: 10 + 112 }],
  ['9', { cut: true, height: 10 }],
  ['13', { cut: true, height: 10 }],
])('ESC * r E %s says what the end does', (mode, expected) => {
  const machine = printed([...ENTER, ...CONTINUOUS, ESC, `*rE${mode}`, 0, ...rows(10), ...QUIT])
  expect(machine.papers).toMatchObject([expected])
})

test('ESC FF NUL and ESC FF EOT end a document each in its own way', () => {
  const modes = [ESC, '*rF2', 0, ESC, '*rE9', 0]
  const machine = printed([...ENTER, ...CONTINUOUS, ...modes, ...rows(4), ESC, 0x0c, 0, ...rows(4), ESC, 0x0c, 4])
  expect(machine.papers).toMatchObject([{ cut: true, height: 4 + 112 + 4 }])
  // Nothing is left to end.
  machine.receive(escpos(...QUIT))
  expect(machine.papers).toHaveLength(1)
})

test('a page has a length unless it is continuous', () => {
  const cutAt = (...parts: (string | number)[]) => printed([...ENTER, ...parts, ...rows(10), ...QUIT]).papers[0]?.height
  expect([cutAt(...CONTINUOUS), cutAt(ESC, '*rP300', 0), cutAt()]).toEqual([10, 300, 1600])
})

test('k adds to a row, Y moves down, and margins drop what is beyond them', () => {
  const machine = printed([
    ...[...ENTER, ...CONTINUOUS, ESC, '*rE1', 0],
    ...['k', 1, 0, 0xf0, ...row(0x0f), ESC, '*rY3', 0, ...row(0xff), ...QUIT],
  ])
  expect(machine.papers).toMatchObject([{ height: 5 }])
  const whole = printed([...ENTER, ...CONTINUOUS, ...row(0xff), ESC, '*rY3', 0, ...row(0xff), ...QUIT])
  expect(machine.papers[0]?.png()).toEqual(whole.papers[0]?.png())
  const cut = printed([...ENTER, ...CONTINUOUS, ESC, '*rmr71', 0, ...row(0xff, 0xff), ...QUIT])
  expect(cut.papers[0]?.png()).toEqual(printed([...ENTER, ...CONTINUOUS, ...row(0xff), ...QUIT]).papers[0]?.png())
})

test('text and commands for text print nothing, and are noted', () => {
  const machine = printed(['abc', LF, ESC, 'd', 3, ESC, '@'])
  expect(machine.papers).toEqual([])
  expect(machine.unknownCommands).toEqual(['61', '62', '63', '0a', '1b64', '64', '03', '1b40', '40'])
  expect(printed([...ENTER, 'x', ...QUIT]).unknownCommands).toEqual(['78'])
})

test('a question inside of a row is answered, and is dots all the same', () => {
  const machine = new Machine({ commands: 'star_raster' })
  const heard = listenTo(machine)
  machine.receive(escpos(...ENTER, ...CONTINUOUS, ...row(ESC, 0x06, 0x01), ...QUIT))
  expect(heard).toHaveLength(9)
  expect(machine.papers).toMatchObject([{ text: '[picture 576 x 1]' }])
})

test('line mode enters raster mode too, and comes back to text', () => {
  const parts = ['one', LF, ...ENTER, ...CONTINUOUS, ESC, '*rE1', 0, ...rows(2), ...QUIT, 'two', LF]
  const machine = printed(parts, { commands: 'star_line' })
  expect(machine.papers).toMatchObject([{ text: 'one\n[picture 576 x 2]\ntwo' }])
  expect(machine.unknownCommands).toEqual([])
})
