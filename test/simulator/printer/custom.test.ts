import { expect, test, vi } from 'vitest'
import { Machine, type MachineOptions } from '../../../src/simulator/index.ts'
import { escpos, listenTo } from '../../support/printer.ts'

const DLE = 0x10
const EOT = 0x04
const ESC = 0x1b
const FS = 0x1c
const GS = 0x1d
const LF = 0x0a

function start(options: MachineOptions = {}) {
  const machine = new Machine({ maker: 'custom', ...options })
  const heard = listenTo(machine)
  const ask = (...parts: (string | number)[]) => {
    heard.length = 0
    machine.receive(escpos(...parts))
    return [...heard]
  }
  /** The four bytes of the full status. */
  const full = () => {
    const [dle, kind, ...parts] = ask(DLE, EOT, 20)
    expect([dle, kind]).toEqual([0x10, 0x0f])
    return parts
  }
  const text = (...parts: (string | number)[]) => Buffer.from(ask(...parts)).toString()
  return { machine, heard, ask, full, text }
}

test('DLE EOT 20 tells paper, cover, errors and the receipt at the output, by the bits of the manual', () => {
  const { machine, full } = start()
  expect(full()).toEqual([0, 0, 0, 0])
  machine.runLow()
  expect(full()).toEqual([0x04, 0, 0, 0])
  machine.runOutOfPaper()
  expect(full()).toEqual([0x05, 0, 0, 0])
  machine.loadPaper()
  machine.openCover()
  expect(full()).toEqual([0, 0x03, 0, 0])
  machine.closeCover()
  machine.fail('auto_recoverable')
  expect(full()).toEqual([0, 0, 0x01, 0])
  machine.fail('cutter')
  expect(full()).toEqual([0, 0, 0, 0x01])
  machine.fail('unrecoverable')
  expect(full()).toEqual([0, 0, 0, 0x08])
})

test('DLE EOT 1 to 4 and 17 are answered with one byte', () => {
  const { machine, ask } = start()
  const states = () => [1, 2, 3, 4, 17].flatMap((n) => ask(DLE, EOT, n))
  expect(states()).toEqual([0x12, 0x12, 0x12, 0x12, 0x12])
  machine.runOutOfPaper()
  expect(states()).toEqual([0x1a, 0x32, 0x12, 0x7e, 0x32])
})

test('an ordinary printer does not answer DLE EOT 20', () => {
  expect(start({ maker: 'epson' }).ask(DLE, EOT, 20)).toEqual([])
})

test('a presenter cuts, and holds the receipt until the customer takes it', () => {
  const { machine, full, ask } = start()
  ask('one', LF, FS, 'P', 16, 1, 'E', 0)
  expect(machine.papers).toMatchObject([{ text: 'one', cut: true, presented: true, retracted: false }])
  expect([machine.ticketHeld, full()[0], ask(GS, 'e', 6)]).toEqual([true, 0x20, [0x0c]])
  machine.takeTicket()
  expect([machine.ticketHeld, full()[0], ask(GS, 'e', 6)]).toEqual([false, 0, [0x04]])
})

test('a receipt that nobody takes goes out when the next one comes', () => {
  const { machine, ask } = start()
  ask('one', LF, FS, 'P', 16, 1, 'E', 0, 'two', LF, FS, 'P', 16, 1, 'E', 0)
  expect(machine.log.map(({ what }) => what)).toContain('receipt ejected')
  expect(machine.papers).toMatchObject([{ retracted: false }, { text: 'two', presented: true }])
})

test.each([
  ['E', false, '0ret'],
  ['R', true, '1ret'],
])('a receipt that nobody takes for some seconds is handled as FS P says: %s', (how, retracted, counted) => {
  vi.useFakeTimers()
  const { machine, ask, text } = start()
  ask('one', LF, FS, 'P', 16, 1, how, 5)
  vi.advanceTimersByTime(4999)
  expect(machine.ticketHeld).toBe(true)
  vi.advanceTimersByTime(1)
  expect(machine.ticketHeld).toBe(false)
  expect(machine.papers).toMatchObject([{ presented: true, retracted }])
  expect(text(GS, 0xe4)).toBe(counted)
  vi.useRealTimers()
})

test('GS e presents, ejects and retracts', () => {
  const { machine, ask } = start()
  ask('one', LF, GS, 'e', 3, 12)
  expect(machine.ticketHeld).toBe(true)
  ask(GS, 'e', 5)
  expect(machine.ticketHeld).toBe(false)
  ask('two', LF, GS, 'e', 2)
  expect(machine.papers).toMatchObject([{ retracted: false }, { text: 'two', cut: true, retracted: true }])
  expect(machine.unknownCommands).toEqual([])
})

test('counters are told as text, in their turn, and outlive a power cycle', () => {
  const { machine, ask, text, heard } = start()
  expect([text(GS, 0xe2), text(GS, 0xe5)]).toEqual(['0 cuts', '1on'])
  ask('one', LF, FS, 'P', 16, 1, 'E', 0)
  machine.powerOff()
  machine.powerOn()
  expect([text(GS, 0xe2), text(GS, 0xe5)]).toEqual(['1 cuts', '2on'])
  // 30 rows of a line and 112 to the cutter are 1.8 cm.
  expect(text(GS, 0xe3)).toBe('1cm')
  machine.runOutOfPaper()
  expect(text(GS, 0xe2)).toBe('')
  machine.loadPaper()
  expect(Buffer.from(heard).toString()).toBe('1 cuts')
})

test('GS E0 reports changes by itself, with the bytes that were chosen', () => {
  const { machine, ask, heard } = start()
  expect(ask(GS, 0xe0, 5)).toEqual([])
  machine.runLow()
  machine.openCover()
  machine.fail('auto_recoverable')
  expect(heard).toEqual([0x10, 5, 0x04, 0, 0x10, 5, 0x04, 0x01])
})

test('an ordinary printer knows neither presenter nor counters', () => {
  const { machine, ask } = start({ maker: 'epson' })
  ask('one', LF, FS, 'P', GS, 'e', GS, 0xe2, ESC, 0xc1)
  expect(machine.unknownCommands).toEqual(['1c50', '1d65', '1de2', '1bc1'])
})

test('a receipt that was cut before can be presented, and without one nothing is', () => {
  const { machine, ask } = start()
  ask(GS, 'e', 3, 12)
  expect(machine.ticketHeld).toBe(false)
  ask('one', LF, GS, 'V', 66, 0, GS, 'e', 32, 12, 30)
  expect(machine.papers).toMatchObject([{ text: 'one', cut: true, presented: true }])
  expect(machine.ticketHeld).toBe(true)
  void machine.close()
})

test('fonts are wider than usual, and ESC C1 makes them narrower', () => {
  const columns = (...parts: (string | number)[]) => {
    const { machine, ask } = start()
    ask(...parts, 'a'.repeat(100), LF)
    return machine.papers[0]?.text.split('\n')[0]?.length
  }
  expect([columns(), columns(ESC, 'M', 1)]).toEqual([32, 44])
  expect([columns(ESC, 0xc1, 1), columns(ESC, 0xc1, 1, ESC, 'M', 1)]).toEqual([44, 57])
})

test('the levels of its QR codes are counted from 49', () => {
  const sideOf = (options: MachineOptions, level: number) => {
    const { machine, ask } = start(options)
    const data = 'x'.repeat(90)
    ask(GS, '(k', 3, 0, 49, 69, level, GS, '(k', 93, 0, 49, 80, 48, data, GS, '(k', 3, 0, 49, 81, 48)
    return machine.papers[0]?.qrDots[0]
  }
  expect(sideOf({}, 50)).toBe(sideOf({ maker: 'epson' }, 49))
  expect(sideOf({}, 49)).toBe(sideOf({ maker: 'epson' }, 48))
})
