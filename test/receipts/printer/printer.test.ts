import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { PrinterSettings } from '../../../src/domain/printer.ts'
import { english } from '../../support/english.ts'
import { eventually } from '../../support/eventually.ts'
import { IMPATIENT, receipt, startPair, timesOnPaper } from '../../support/receipt-printer.ts'

type AtTheEnd = Parameters<typeof startPair>[1]
const start = (atTheEnd: AtTheEnd, options: Parameters<typeof startPair>[0] = {}) => startPair(options, atTheEnd)
const never: Partial<PrinterSettings> = { answers: 'never', confirm: 'none' }

type Pair = Awaited<ReturnType<typeof start>>
const comesToBe = ({ host }: Pair, condition: object) =>
  eventually(() => expect(english(host.printer.condition())).toMatchObject(condition))
const comesOut = ({ machine }: Pair, title?: string) => eventually(() => expect(timesOnPaper(machine, title)).toBe(1))

test.concurrent('a printer that only says it is ready leaves a receipt unconfirmed, and one that stops is named', async ({
  onTestFinished,
}) => {
  const { machine, host } = await start(onTestFinished, { settings: { confirm: 'realtime', confirmTimeoutMs: 400 } })
  expect(await host.print()).toMatchObject({ status: 'unconfirmed', detail: expect.stringContaining('cannot prove') })
  machine.at(machine.receivedBytes + 2900, () => machine.runOutOfPaper())
  const stopped = await host.print({ segments: receipt('TWO'), waitMs: 1000 })
  expect(stopped).toMatchObject({ begun: true, detail: expect.stringContaining('The paper is out.') })
})

test.concurrent('where nothing can confirm it, a receipt is unconfirmed as soon as it is sent', async ({
  onTestFinished,
}) => {
  const pair = await start(onTestFinished, { settings: { confirm: 'none' } })
  expect(await pair.host.print()).toMatchObject({ begun: true, status: 'unconfirmed' })
  await comesOut(pair)
})

test.concurrent('a printer that is known to be ready is not asked before a receipt', async ({ onTestFinished }) => {
  const pair = await start(onTestFinished, { timing: { lookEveryMs: 5000, freshMs: 60_000 } })
  await comesToBe(pair, { state: 'ready', paper: 'ok', cover: 'closed', error: false, detail: null })
  const { machine, host } = pair
  const before = machine.receivedBytes
  let atBegin = 0
  const begin = async () => {
    atBegin = machine.receivedBytes - before
    return true
  }
  await host.print({ begin })
  // Its initialisation has two bytes, a question three.
  expect(atBegin).toBeLessThanOrEqual(2)
})

test.concurrent('nothing is sent of a job that must not be printed', async ({ onTestFinished }) => {
  const { machine, host } = await start(onTestFinished)
  expect(await host.print({ begin: async () => false })).toMatchObject({ begun: false })
  expect(machine.papers).toEqual([])
  await expect(host.print({ begin: () => Promise.reject(new Error('disk full')) })).rejects.toThrow('disk full')
  expect(machine.papers).toEqual([])
  expect(await host.print()).toMatchObject({ status: 'printed' })
})

test.concurrent('an interrupted picture does not swallow the next receipt', async ({ onTestFinished }) => {
  const pair = await start(onTestFinished, { settings: never })
  const { machine, host } = pair
  const [head = new Uint8Array(), ...rest] = receipt('ONE', 1, 1)
  const cutOff = [head, rest[0] ?? head, (rest[1] ?? head).subarray(0, 100)]
  machine.at(120, () => machine.unplug())
  await host.print({ segments: cutOff })
  await comesToBe(pair, { state: 'lost' })
  await machine.plugIn()
  await host.print({ segments: receipt('TWO') })
  await comesOut(pair, 'TWO')
})

test.concurrent('a printer that never answers gets its receipts, and they are unconfirmed', async ({
  onTestFinished,
}) => {
  const pair = await start(onTestFinished, { settings: never })
  pair.machine.answer('never')
  expect(await pair.host.print()).toEqual({
    begun: true,
    status: 'unconfirmed',
    detail: 'This printer cannot be asked whether it came out.',
    reason: null,
    mm: expect.any(Number),
  })
  expect(english(pair.host.printer.condition())).toMatchObject({ state: 'unknown', detail: null })
  await comesOut(pair)
  // Not a question was among it.
  expect(pair.machine.printedBytes).toBe(receipt().reduce((sum, { length }) => sum + length, 0))
})

test.concurrent('a printer of which nobody knows whether it answers is taken for one that does not, until it has', async ({
  onTestFinished,
}) => {
  const pair = await start(onTestFinished, { settings: { ...IMPATIENT, answers: 'maybe' } })
  const { machine, host } = pair
  machine.answer('never')
  expect(await host.print()).toMatchObject({ begun: true, status: 'unconfirmed' })
  machine.answer('always')
  await comesToBe(pair, { state: 'ready' })
  expect(await host.print({ segments: receipt('TWO') })).toMatchObject({ begun: true, status: 'printed' })
  machine.answer('never')
  await comesToBe(pair, { state: 'silent' })
  expect(await host.print({ segments: receipt('SIX'), waitMs: 600 })).toMatchObject({ begun: false })
  expect(timesOnPaper(machine, 'SIX')).toBe(0)
})

test.concurrent('an answer that comes too late is not taken for the next one', async ({ onTestFinished }) => {
  const pair = await start(onTestFinished, { settings: { answerTimeoutMs: 40 } })
  pair.machine.answer('always', 60)
  await comesToBe(pair, { state: 'silent' })
  // The first answer may have been given before the printer became slow.
  const before = pair.host.conditions.length
  await sleep(500)
  expect(pair.host.conditions.slice(before).map(({ state }) => state)).not.toContain('ready')
})

test.concurrent('when the daemon stops, what has not begun does not begin, and what has begun ends soon', async ({
  onTestFinished,
}) => {
  const { machine, host } = await start(onTestFinished)
  const stop = new AbortController()
  machine.at(700, () => {
    machine.runOutOfPaper()
    stop.abort()
  })
  const begun = host.print({ waitMs: 60_000, signal: stop.signal })
  const waiting = host.print({ waitMs: 60_000, signal: stop.signal })
  const startedAt = performance.now()
  expect(await begun).toMatchObject({ begun: true, status: 'failed' })
  expect(await waiting).toMatchObject({ begun: false })
  expect(performance.now() - startedAt).toBeLessThan(30_000)
})

test.concurrent.for(['its time is over', 'the daemon stops'] as const)(
  'a job that waits behind another one ends when %s, and not when its turn comes',
  async (why, { onTestFinished }) => {
    const { machine, host } = await start(onTestFinished)
    machine.runOutOfPaper()
    const first = host.print({ waitMs: 60_000 })
    const stop = new AbortController()
    const second = host.print({
      ...{ segments: receipt('TWO'), signal: stop.signal },
      waitMs: why === 'its time is over' ? 100 : 60_000,
    })
    if (why === 'the daemon stops') setTimeout(() => stop.abort(), 100)
    expect(await second).toMatchObject({ begun: false })
    expect(await host.print({ signal: AbortSignal.abort() })).toMatchObject({ begun: false })
    machine.loadPaper()
    expect(await first).toMatchObject({ status: 'printed' })
    expect(await host.print({ segments: receipt('SIX') })).toMatchObject({ status: 'printed' })
    expect([host.begins, timesOnPaper(machine, 'TWO')]).toEqual([2, 0])
  },
)

test.concurrent('whoever looks is told what the printer says now', async ({ onTestFinished }) => {
  const { machine, host } = await start(onTestFinished, { timing: { lookEveryMs: 60_000 } })
  expect(await host.printer.look()).toMatchObject({ state: 'ready', paper: 'ok' })
  machine.runOutOfPaper()
  expect(await host.printer.look()).toMatchObject({ state: 'offline', paper: 'out' })
})

test.concurrent('a printer that stands is not filled up with questions', async ({ onTestFinished }) => {
  const { machine, host } = await start(onTestFinished, { timing: { standMs: 200 } })
  machine.at(700, () => machine.runOutOfPaper())
  await host.print({ waitMs: 1000 })
  // Ten questions of three bytes at most, and what was sent before.
  expect(machine.receivedBytes - machine.printedBytes).toBeLessThan(256 + 600)
})
