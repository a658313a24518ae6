import { expect, test } from 'vitest'
import { Machine, type MachineOptions, type PrinterError } from '../../../src/simulator/index.ts'
import { escpos, listenTo } from '../../support/printer.ts'

const DLE = 0x10
const EOT = 0x04
const ENQ = 0x05
const DC4 = 0x14
const GS = 0x1d
const LF = 0x0a
const CLEAR = [DLE, DC4, 8, 1, 3, 20, 1, 6, 2, 8]
/** A raster of 8 x 8 dots with these data. */
const raster = (...data: number[]) => escpos(GS, 'v0', 0, 1, 0, data.length, 0, ...data)

function start(options: MachineOptions = {}) {
  const machine = new Machine(options)
  const heard = listenTo(machine)
  /** What is answered to these bytes. */
  const ask = (...parts: (string | number)[]) => {
    heard.length = 0
    machine.receive(escpos(...parts))
    return [...heard]
  }
  const states = () => [1, 2, 3, 4].flatMap((n) => ask(DLE, EOT, n))
  return { machine, heard, ask, states }
}

test('DLE EOT tells what is the matter, by the bits of the reference', () => {
  const { machine, states } = start()
  expect(states()).toEqual([0x12, 0x12, 0x12, 0x12])
  machine.runLow()
  expect(states()).toEqual([0x12, 0x12, 0x12, 0x1e])
  machine.runOutOfPaper()
  expect(states()).toEqual([0x1a, 0x32, 0x12, 0x7e])
  machine.loadPaper()
  machine.openCover()
  expect(states()).toEqual([0x1a, 0x16, 0x12, 0x12])
  machine.closeCover()
  expect(states()).toEqual([0x12, 0x12, 0x12, 0x12])
})

test.each<[PrinterError, number[]]>([
  ['recoverable', [0x3a, 0x52, 0x16, 0x12]],
  ['cutter', [0x3a, 0x52, 0x1a, 0x12]],
  ['unrecoverable', [0x1a, 0x52, 0x32, 0x12]],
  ['auto_recoverable', [0x1a, 0x52, 0x52, 0x12]],
])('an error that is %s has a bit of its own', (error, expected) => {
  const { machine, states } = start()
  machine.fail(error)
  expect(states()).toEqual(expected)
  machine.recover()
  expect(states()).toEqual([0x12, 0x12, 0x12, 0x12])
})

test('an n that does not exist is not answered, and a DLE in between begins anew', () => {
  const { ask } = start()
  expect(ask(DLE, EOT, 0)).toEqual([])
  expect(ask(DLE, EOT, 5)).toEqual([])
  expect(ask(DLE, DLE, EOT, 1)).toEqual([0x12])
  expect(ask(DLE, EOT, DLE, EOT, 1)).toEqual([0x12])
  expect(ask(DLE, DC4, 8, DLE, EOT, 1)).toEqual([0x12])
})

test('real-time questions are answered while everything else waits, and print nothing', () => {
  const { machine, ask } = start()
  machine.runOutOfPaper()
  expect(ask('abc', LF, GS, 'r', 1, DLE, EOT, 1)).toEqual([0x1a])
  expect(machine.papers).toEqual([])
  expect(ask(DLE, EOT, 4)).toEqual([0x7e])
})

test('inside of a picture they are answered too, and are dots all the same', () => {
  const { machine, heard } = start()
  machine.receive(raster(0xff, DLE, EOT, 1, 0xff))
  expect(heard).toEqual([0x12])
  expect(machine.papers).toMatchObject([{ text: '[picture 8 x 5]' }])
})

test('a picture that holds the command to clear the buffer loses what is around it', () => {
  const { machine, heard } = start()
  machine.receive(Buffer.concat([escpos('before', LF), raster(...CLEAR, 0xff, 0xff), escpos('after', LF)]))
  expect(heard).toEqual([0x37, 0x25, 0])
  // The rest of the picture is taken for text now.
  expect(machine.papers.map(({ text }) => text)).toEqual(['\u00a0\u00a0after'])
})

test('DLE ENQ 2 ends an error that a person can end, and drops what waits; DLE ENQ 1 prints it', () => {
  for (const [n, text] of [
    [1, 'old\nnew'],
    [2, 'new'],
  ] as const) {
    const { machine } = start()
    machine.fail('cutter')
    machine.receive(escpos('old', LF, DLE, ENQ, n, 'new', LF))
    expect(machine.condition.error).toBe(null)
    expect(machine.papers.map((paper) => paper.text)).toEqual([text])
  }
})

test('the process id comes back after everything before it, and not while there is no paper', () => {
  const { machine, ask, heard } = start()
  const question = [GS, '(H', 6, 0, 48, 48, 'A1b2'] as const
  const answer = [0x37, 0x22, ...Buffer.from('A1b2'), 0]
  expect(ask('x', LF, ...question)).toEqual(answer)
  machine.runOutOfPaper()
  expect(ask('y', LF, ...question)).toEqual([])
  machine.loadPaper()
  expect(heard).toEqual(answer)
  expect(machine.papers[0]?.text).toBe('x\ny')
})

test('GS r tells of paper that ends, and waits for paper that is out', () => {
  const { machine, ask, heard } = start()
  expect(ask(GS, 'r', 1)).toEqual([0])
  machine.runLow()
  expect(ask(GS, 'r', 49)).toEqual([3])
  machine.runOutOfPaper()
  expect(ask(GS, 'r', 1)).toEqual([])
  machine.loadPaper()
  expect(heard).toEqual([0])
})

test('GS a reports changes by itself until ESC @', () => {
  const { machine, ask, heard } = start()
  expect(ask(GS, 'a', 0xff)).toEqual([0x10, 0, 0, 0x0f])
  heard.length = 0
  machine.openCover()
  machine.openCover()
  machine.closeCover()
  expect(heard).toEqual([0x38, 0, 0, 0x0f, 0x10, 0, 0, 0x0f])
  expect(ask(0x1b, '@')).toEqual([])
  machine.runOutOfPaper()
  expect(heard).toEqual([])
})

test('GS I tells who it is', () => {
  const { ask } = start()
  expect(ask(GS, 'I', 1)).toHaveLength(1)
  expect(Buffer.from(ask(GS, 'I', 66)).toString()).toBe('_VIRTUAL\0')
})

test('a cheap printer knows neither GS ( H nor GS r', () => {
  const { machine, ask } = start({ withoutProcessId: true, withoutStatus: true })
  expect(ask(GS, '(H', 6, 0, 48, 48, 'A1b2', GS, 'r', 1)).toEqual([])
  expect(machine.unknownCommands).toEqual(['1d2848', '1d72'])
})

test('one that never answers says nothing, and one on a wrong line nothing valid', () => {
  const { machine, ask, states } = start()
  machine.answer('never')
  expect([...states(), ...ask(GS, 'r', 1)]).toEqual([])
  machine.answer('garbage')
  const said = [...states(), ...states()]
  expect(said).toHaveLength(8)
  expect(said.filter((byte) => (byte & 0x93) === 0x12)).toEqual([])
})

test('one that answers only when it is idle is silent while it prints', async () => {
  const { machine, ask, heard } = start({ rowsPerMs: 1 })
  machine.answer('when_idle')
  expect(ask('x', LF, DLE, EOT, 1)).toEqual([])
  await expect.poll(() => machine.idle, { interval: 5 }).toBe(true)
  expect(heard).toEqual([])
  expect(ask(DLE, EOT, 1)).toEqual([0x12])
})

test('a late answer comes late, and never after the power was lost', async () => {
  const { machine, heard } = start()
  machine.answer('always', 20)
  machine.receive(escpos(DLE, EOT, 1))
  expect(heard).toEqual([])
  await expect.poll(() => heard, { interval: 5 }).toEqual([0x12])
  machine.receive(escpos(DLE, EOT, 1))
  machine.powerCycle({ offMs: 1 })
  await new Promise((resolve) => setTimeout(resolve, 40))
  expect(heard).toEqual([0x12])
})
