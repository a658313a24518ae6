import { expect, test, vi } from 'vitest'
import { Machine, type MachineOptions, PRINTER_KINDS } from '../../../src/simulator/index.ts'
import { escpos, listenTo } from '../../support/printer.ts'

const DLE = 0x10
const EOT = 0x04
const ESC = 0x1b
const GS = 0x1d
const LF = 0x0a
const ASK = [DLE, EOT, 1]

function start(options: MachineOptions) {
  const machine = new Machine(options)
  const heard = listenTo(machine)
  const ask = (...parts: (string | number)[]) => {
    heard.length = 0
    machine.receive(escpos(...parts))
    return Buffer.from(heard).toString('latin1')
  }
  return { machine, heard, ask }
}

test.each([
  ['says_ready_to_all', '\x12\x12\x12\x12\x12'],
  ['says_ready_to_questions', '\x12'],
  ['echo', 'x\n\x10\x04\x01'],
  ['modem', '\r\nERROR\r\n'],
  ['noise', ''],
] as const)('something else at its address answers in its own way, and prints nothing: %s', (insteadOfIt, said) => {
  const { machine, ask } = start({ insteadOfIt })
  expect(ask('x', LF, ...ASK)).toBe(said)
  expect([machine.papers, machine.receivedBytes]).toEqual([[], 0])
  void machine.close()
})

test('noise comes without being asked for, and is the same in each run', () => {
  vi.useFakeTimers()
  const noise = () => {
    const { machine, heard } = start({ insteadOfIt: 'noise' })
    vi.advanceTimersByTime(2000)
    void machine.close()
    return heard
  }
  const first = noise()
  expect(new Set(first).size).toBeGreaterThan(50)
  expect(noise()).toEqual(first)
  vi.useRealTimers()
})

test.each<[string, MachineOptions, (string | number)[]]>([
  ['GS r', {}, [GS, 'r', 1]],
  ['GS ( H', {}, [GS, '(H', 6, 0, 48, 48, 'A1b2']],
  ['ETB', { commands: 'star_line' }, [ESC, 0x1e, 'a', 1, 0x17]],
  ['GS E2', { maker: 'custom' }, [GS, 0xe2]],
])('a printer that reads ahead answers %s before it has printed', async (_, options, question) => {
  const { machine, ask } = start({ ...options, answersAhead: true, rowsPerMs: 0.5 })
  const said = ask('one', LF, 'two', LF, ...question)
  expect(said).not.toBe('')
  expect(machine.papers[0]?.text).toBe('one')
  machine.runOutOfPaper()
  expect(ask('six', LF, ...question)).toBe('')
  machine.loadPaper()
  await expect.poll(() => machine.papers[0]?.text, { interval: 5 }).toBe('one\ntwo\nsix')
  void machine.close()
})

test('a clone prints what it does not know as text, with all that happens to be in it', () => {
  const { machine, ask } = start(PRINTER_KINDS.clone)
  expect(ask(GS, 'v0', 0, 1, 0, 2, 0, LF, 'x', LF, GS, '(k', 3, 0, 49, 81, 48, LF)).toBe('')
  expect(machine.papers).toMatchObject([{ text: 'v0\nx\n(k1Q0' }])
  expect(machine.unknownCommands).toEqual(['1d76', '1d286b'])
})

test('a clone knows pictures as columns, also at half the density', () => {
  const { machine, ask } = start(PRINTER_KINDS.clone)
  ask(ESC, '3', 24, ESC, '*', 33, 2, 0, ...Array<number>(6).fill(0xff), LF)
  ask(ESC, '*', 32, 1, 0, ...Array<number>(3).fill(0xff), LF)
  expect(machine.papers).toMatchObject([{ height: 48 }])
  expect(machine.unknownCommands).toEqual([])
})
