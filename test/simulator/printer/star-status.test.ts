import { expect, test } from 'vitest'
import { Machine, type MachineOptions } from '../../../src/simulator/index.ts'
import { escpos, listenTo } from '../../support/printer.ts'

const SOH = 0x01
const EOT = 0x04
const ENQ = 0x05
const ACK = 0x06
const LF = 0x0a
const ETB = 0x17
const CAN = 0x18
const ESC = 0x1b
const GS = 0x1d
const RS = 0x1e
const KINDS = ['star_line', 'star_raster'] as const

function start(options: MachineOptions = {}) {
  const machine = new Machine({ commands: 'star_line', ...options })
  const heard = listenTo(machine)
  const ask = (...parts: (string | number)[]) => {
    heard.length = 0
    machine.receive(escpos(...parts))
    return [...heard]
  }
  /** The seven bytes of the status after its headers. */
  const status = () => ask(ESC, ACK, SOH).slice(2)
  return { machine, heard, ask, status }
}

test.each(KINDS)('ESC ACK SOH is answered with the status, by the bits of the manual: %s', (commands) => {
  const { machine, ask, status } = start({ commands })
  expect(ask(ESC, ACK, SOH)).toEqual([0x23, 0x06, 0, 0, 0, 0, 0, 0, 0])
  machine.runLow()
  expect(status()).toEqual([0, 0, 0, 0x04, 0, 0, 0])
  machine.runOutOfPaper()
  expect(status()).toEqual([0x08, 0, 0, 0x0c, 0, 0, 0])
  machine.loadPaper()
  machine.openCover()
  expect(status()).toEqual([0x28, 0, 0, 0, 0, 0, 0])
  machine.closeCover()
  machine.fail('cutter')
  expect(status()).toEqual([0x08, 0x08, 0, 0, 0, 0, 0])
  machine.fail('auto_recoverable')
  expect(status()).toEqual([0x08, 0x40, 0, 0, 0, 0, 0])
  machine.fail('unrecoverable')
  expect(status()).toEqual([0x08, 0x20, 0, 0, 0, 0, 0])
})

test('ENQ and EOT are answered with one byte in line mode', () => {
  const { machine, ask } = start()
  expect([...ask(ENQ), ...ask(EOT)]).toEqual([0x20, 0x10])
  machine.runOutOfPaper()
  machine.openCover()
  expect([...ask('x', LF, ENQ), ...ask(EOT)]).toEqual([0x0c, 0x1c])
  expect(machine.papers).toEqual([])
  expect(start({ commands: 'star_raster' }).ask(ENQ, EOT)).toEqual([])
})

test('on a network the status is followed by a length, and other answers are wrapped in it', () => {
  const { ask } = start({ networkStatus: true })
  expect(ask(ESC, ACK, SOH)).toEqual([0x23, 0x86, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  expect(Buffer.from(ask(EOT)).toString('hex')).toBe(`238600000000000000000830323a420001103b`)
})

test('ESC RS a reports changes by itself, also after ESC @', () => {
  const { machine, ask, heard } = start()
  expect(ask(ESC, RS, 'a', 1, ESC, '@')).toEqual([])
  machine.openCover()
  machine.openCover()
  machine.closeCover()
  expect(heard).toEqual([0x23, 0x06, 0x28, 0, 0, 0, 0, 0, 0, 0x23, 0x06, 0, 0, 0, 0, 0, 0, 0])
  expect(ask(ESC, RS, 'a', 0)).toEqual([])
  machine.openCover()
  expect(heard).toEqual([])
})

test('a memory switch makes it report from power on', () => {
  const { machine, heard } = start({ reportsFromStart: true })
  machine.runLow()
  expect(heard).toHaveLength(9)
})

test.each(KINDS)('ETB counts when everything before it is printed, and reports the counter: %s', (commands) => {
  const { machine, ask, status, heard } = start({ commands })
  ask(ESC, RS, 'a', 1, ESC, RS, 'E', 0)
  expect(ask(ETB)).toEqual([0x23, 0x06, 0x02, 0, 0, 0, 0, 0x02, 0])
  machine.runOutOfPaper()
  heard.length = 0
  expect(ask(ETB)).toEqual([])
  machine.loadPaper()
  expect(heard.slice(-9)).toEqual([0x23, 0x06, 0x02, 0, 0, 0, 0, 0x04, 0])
  expect(status()[5]).toBe(0x04)
})

test('the counter has five bits in two groups, and begins again after 31', () => {
  const { ask, status } = start()
  const counted = Array.from({ length: 33 }, () => {
    ask(ETB)
    return status()[5]
  })
  expect(counted.slice(0, 9)).toEqual([0x02, 0x04, 0x06, 0x08, 0x0a, 0x0c, 0x0e, 0x20, 0x22])
  expect(counted.slice(30)).toEqual([0x6e, 0, 0x02])
})

test('ESC RS E, CAN and a power cycle clear the counter, without a report', () => {
  const { machine, ask, status } = start()
  for (const clear of [
    () => ask(ESC, RS, 'E', 0),
    () => ask(CAN),
    () => {
      machine.powerOff()
      machine.powerOn()
      return []
    },
  ]) {
    ask(ETB)
    expect(clear()).toEqual([])
    expect(status()).toEqual([0, 0, 0, 0, 0, 0, 0])
  }
})

test('ETB waits for the paper, as the printer is slower than the line', async () => {
  const { machine, ask, heard } = start({ rowsPerMs: 1 })
  ask(ESC, RS, 'a', 1)
  expect(ask('one', LF, ESC, 'd', 3, ETB)).toEqual([])
  await expect.poll(() => machine.idle, { interval: 5 }).toBe(true)
  expect(heard).toHaveLength(9)
})

test('ESC GS ETX counts print ends, and echoes what it was given', () => {
  const { ask } = start()
  expect(ask(ESC, GS, 3, 0, 7, 8)).toEqual([ESC, GS, 3, 0, 7, 8, 0, 0])
  expect(ask('x', ESC, GS, 3, 1, 7, 8)).toEqual([ESC, GS, 3, 1, 7, 8, 1, 0])
  expect(ask(ESC, GS, 3, 2, 0, 0, ESC, GS, 3, 0, 0, 0)).toEqual([ESC, GS, 3, 0, 0, 0, 0, 0])
})
