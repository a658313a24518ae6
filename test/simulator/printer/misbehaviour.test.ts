import { expect, test } from 'vitest'
import { Machine } from '../../../src/simulator/index.ts'
import { escpos, listenTo } from '../../support/printer.ts'

const ESC = 0x1b
const GS = 0x1d
const LF = 0x0a

/** A machine whose line holds back what it does not take. */
function start(options: ConstructorParameters<typeof Machine>[0] = {}) {
  const machine = new Machine(options)
  const line = { held: false, sent: 0 }
  machine.connect({
    write() {},
    pause() {
      line.held = true
    },
    resume() {
      line.held = false
    },
  })
  return { machine, line, text: () => machine.papers.map(({ text }) => text).join('\n---\n') }
}

test('paper that is out in the middle of a receipt: the rest is printed after the reload', () => {
  const { machine, text } = start()
  machine.at(4, () => machine.runOutOfPaper())
  machine.receive(escpos('one', LF, 'two', LF))
  machine.receive(escpos('three', LF))
  expect(text()).toBe('one')
  expect(machine.printedBytes).toBe(4)
  machine.loadPaper()
  expect(text()).toBe('one\ntwo\nthree')
})

test('an open cover and an error stop it in the same way', () => {
  const { machine, text } = start()
  machine.openCover()
  machine.receive(escpos('one', LF))
  expect(text()).toBe('')
  machine.fail('unrecoverable')
  machine.closeCover()
  expect(text()).toBe('')
  machine.recover()
  expect(text()).toBe('one')
})

test('offline it goes on receiving until its buffer is full, then the line is held', () => {
  const { machine, line, text } = start({ bufferBytes: 8 })
  machine.runOutOfPaper()
  machine.receive(escpos('abcdefgh'))
  expect(line.held).toBe(false)
  machine.receive(escpos('ijklmno', LF))
  expect(line.held).toBe(true)
  expect(machine.receivedBytes).toBe(8)
  machine.loadPaper()
  expect(line.held).toBe(false)
  expect(text()).toBe('abcdefghijklmno')
  expect(machine.receivedBytes).toBe(16)
})

test('a full buffer hears no question any more', () => {
  const machine = new Machine({ bufferBytes: 8 })
  const heard = listenTo(machine)
  machine.runOutOfPaper()
  machine.receive(escpos('abcde', 0x10, 4, 1, 0x10, 4, 1))
  expect(heard).toEqual([0x1a])
})

test('with XON and XOFF it says that it is full, and that there is room again', () => {
  const machine = new Machine({ bufferBytes: 8, xonXoff: true })
  const heard = listenTo(machine)
  machine.runOutOfPaper()
  machine.receive(escpos('abcdefgh'))
  expect(heard).toEqual([])
  machine.receive(escpos('i', LF))
  expect(heard).toEqual([0x13])
  machine.loadPaper()
  expect(heard).toEqual([0x13, 0x11])
})

test('losing power it forgets the buffer, the line, the modes and the command it was in', async () => {
  const { machine, text } = start()
  machine.receive(escpos(ESC, 't', 18, ESC, 'a', 1, 'first', LF))
  machine.at(machine.printedBytes + 10, () => machine.powerCycle({ offMs: 5 }))
  machine.receive(escpos('lost', GS, 'v0', 0, 1, 0, 99, 0, 'lost too', LF))
  machine.receive(escpos('while it is off', LF))
  await expect.poll(() => machine.log.at(-1)?.what, { interval: 2 }).toBe('power on')
  machine.receive(escpos('again', 0x9f, LF))
  expect(text()).toBe(`${' '.repeat(22)}first\nagainƒ`)
  expect(machine.log.map(({ what }) => what)).toEqual(['power off', 'power on'])
})

test('where flow control holds the line while it is off, the rest comes out afterwards', () => {
  const { machine, line, text } = start()
  machine.powerOff({ held: true })
  expect(line.held).toBe(true)
  machine.receive(escpos('held', LF))
  expect(text()).toBe('')
  machine.powerOn()
  expect(line.held).toBe(false)
  expect(text()).toBe('held')
})

test('a picture that is interrupted is on the paper as far as it came', () => {
  const { machine, text } = start()
  machine.at(8 + 25, () => machine.powerOff())
  machine.receive(escpos(GS, 'v0', 0, 10, 0, 100, 0, ...Array(1000).fill(0xaa)))
  expect(text()).toBe('[picture 80 x 2]')
})

test('it can be stopped after each byte in turn, and never prints one more', () => {
  const receipt = escpos('one', LF, ESC, 'd', 2, GS, '!', 0x11, 'two', LF)
  for (let byte = 1; byte <= receipt.length; byte++) {
    const { machine } = start()
    machine.at(byte, () => machine.runOutOfPaper())
    machine.receive(receipt)
    expect(machine.printedBytes).toBe(byte)
    machine.loadPaper()
    expect(machine.printedBytes).toBe(receipt.length)
    expect(machine.papers).toMatchObject([{ text: 'one\n\n\ntwo', height: 3 * 30 + 48 }])
  }
})

test('a slow printer takes its time for bytes and for paper', async () => {
  const { machine, text } = start({ bytesPerMs: 1, rowsPerMs: 3 })
  const startedAt = performance.now()
  machine.receive(escpos('0123456789', LF, LF, LF))
  expect(machine.idle).toBe(false)
  await expect.poll(() => machine.idle, { interval: 2 }).toBe(true)
  // 13 bytes and 90 rows.
  expect(performance.now() - startedAt).toBeGreaterThan(40)
  expect(text()).toBe('0123456789')
})

test('a slow line carries so many bytes a second', async () => {
  const { machine, line } = start()
  machine.slowLine(2000)
  const startedAt = performance.now()
  machine.receive(escpos('x'.repeat(99), LF))
  expect(line.held).toBe(true)
  await expect.poll(() => machine.receivedBytes, { interval: 2 }).toBe(100)
  expect(performance.now() - startedAt).toBeGreaterThan(40)
  expect(line.held).toBe(false)
})
