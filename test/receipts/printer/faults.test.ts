import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { english } from '../../support/english.ts'
import { eventually } from '../../support/eventually.ts'
import { RECEIPT_KINDS } from '../../support/receipt-kinds.ts'
import { IMPATIENT, startKind } from '../../support/receipt-printer.ts'

type Options = Parameters<typeof startKind>[1]
type AtTheEnd = Parameters<typeof startKind>[2]

describe.each(RECEIPT_KINDS)('$name', (kind) => {
  const start = (atTheEnd: AtTheEnd, options: Options = {}) => startKind(kind, options, atTheEnd)
  type Pair = Awaited<ReturnType<typeof start>>
  const comesToBe = ({ host }: Pair, condition: object) =>
    eventually(() => expect(english(host.printer.condition())).toMatchObject(condition))

  test.concurrent('a receipt that came out is printed, and one after another', async ({ onTestFinished }) => {
    const pair = await start(onTestFinished)
    const results = await Promise.all(['ONE', 'TWO', 'SIX'].map((title) => pair.print(title)))
    expect(results.map((result) => result.begun && result.status)).toEqual(['printed', 'printed', 'printed'])
    expect(['ONE', 'TWO', 'SIX'].map(pair.onPaper)).toEqual([1, 1, 1])
    expect([pair.machine.papers.length, pair.machine.unknownCommands, pair.machine.refused]).toEqual([3, [], []])
  })

  test.concurrent('more receipts than its counters have numbers are printed', async ({ onTestFinished }) => {
    const pair = await start(onTestFinished)
    for (let n = 0; n < 40; n++) {
      expect(await pair.host.print({ segments: kind.receipt(`R${n}`, 1, 0) })).toMatchObject({ status: 'printed' })
    }
    expect(pair.machine.papers).toHaveLength(40)
  })

  test.concurrent.for([
    ['out of paper', 'runOutOfPaper', 'loadPaper', 'paper_out', 'The paper is out. Load a new roll.'],
    ['open', 'openCover', 'closeCover', 'cover_open', 'The cover is open. Close the cover.'],
  ] as const)(
    'a job does not begin while the printer is %s, and does when that is over',
    async ([_, break_, mend, reason, detail], { onTestFinished }) => {
      const pair = await start(onTestFinished)
      const { machine, host, print, onPaper } = pair
      machine[break_]()
      await comesToBe(pair, { state: 'offline' })
      expect(await print('ONE', { waitMs: 150 })).toEqual({ begun: false, reason, detail })
      const waiting = print()
      await sleep(100)
      expect(host.begins).toBe(0)
      machine[mend]()
      expect(await waiting).toMatchObject({ status: 'printed' })
      expect([onPaper(), machine.papers.length]).toEqual([1, 1])
    },
  )

  test.concurrent.for([
    ['cutter', 'cutter'],
    ['auto_recoverable', 'overheated'],
    ['unrecoverable', 'error'],
  ] as const)('an error is named: %s', async ([error, reason], { onTestFinished }) => {
    const pair = await start(onTestFinished)
    pair.machine.fail(error)
    await comesToBe(pair, { state: 'offline', error: true, reason })
    pair.machine.recover()
    await comesToBe(pair, { state: 'ready', error: false, reason: null })
  })

  test.concurrent('paper that is near its end is told, and does not keep from printing', async ({ onTestFinished }) => {
    const pair = await start(onTestFinished)
    pair.machine.runLow()
    await comesToBe(pair, { state: 'ready', paper: 'near_end', fix: 'Load a new roll soon.' })
    expect(await pair.print()).toMatchObject({ status: 'printed' })
  })

  test.concurrent('paper that runs out in the middle is waited for', async ({ onTestFinished }) => {
    const { machine, print, when, onPaper } = await start(onTestFinished)
    const begin = async () => {
      when(0.3, () => {
        machine.runOutOfPaper()
        setTimeout(() => machine.loadPaper(), 150)
      })
      return true
    }
    expect(await print('ONE', { begin })).toMatchObject({ status: 'printed' })
    expect(onPaper()).toBe(1)
  })

  test.concurrent('paper that runs out in the middle and is not loaded makes the receipt fail', async ({
    onTestFinished,
  }) => {
    const { machine, print, when, onPaper } = await start(onTestFinished)
    const begin = async () => {
      when(0.3, () => machine.runOutOfPaper())
      return true
    }
    const result = await print('ONE', { begin, waitMs: 3000 })
    expect(result).toMatchObject({ status: 'failed', reason: 'paper_out' })
    expect(result.detail).toContain('The paper is out. Load a new roll. What it has taken comes out after that.')
    machine.loadPaper()
    await sleep(200)
    expect(onPaper()).toBe(0)
    expect(await print('TWO')).toMatchObject({ status: 'printed' })
    expect(onPaper('TWO')).toBe(1)
  })

  test.concurrent('paper that runs out after all was sent makes the receipt fail', async ({ onTestFinished }) => {
    const pair = await start(onTestFinished, { settings: { confirmTimeoutMs: 400 }, bytesPerMs: 20 })
    const begin = async () => {
      pair.when(0.95, () => pair.machine.runOutOfPaper())
      return true
    }
    const result = await pair.print('ONE', { begin, waitMs: 2000 })
    expect(result).toMatchObject({ begun: true, status: 'failed', reason: 'paper_out' })
    expect(result.detail).toContain('before it confirmed the end')
    expect(pair.onPaper()).toBe(0)
  })

  test.concurrent('the end of a receipt that an earlier process sent does not prove the next one', async ({
    onTestFinished,
  }) => {
    const pair = await start(onTestFinished, { settings: { confirmTimeoutMs: 1000 }, bytesPerMs: 8 })
    const { machine, onPaper, when } = pair
    const begin = async () => {
      when(0.9, () => machine.runOutOfPaper())
      return true
    }
    expect(await pair.print('ONE', { begin, waitMs: 2000 })).not.toMatchObject({ status: 'printed' })
    await pair.restart()
    await comesToBe(pair, { state: 'offline' })
    const next = pair.print('TWO', { waitMs: 2000 })
    when(0.6, () => machine.runOutOfPaper())
    machine.loadPaper()
    const result = await next
    if (result.begun && result.status === 'printed') expect(onPaper('TWO')).toBe(1)
    machine.loadPaper()
    await eventually(async () => expect(await pair.print('SIX')).toMatchObject({ status: 'printed' }))
    expect(onPaper('SIX')).toBeGreaterThan(0)
  })

  test.concurrent('a receipt that was cut off does not swallow the next one', async ({ onTestFinished }) => {
    const pair = await start(onTestFinished, { settings: { confirmTimeoutMs: 2000 } })
    await comesToBe(pair, { state: 'ready' })
    const segments = kind.receipt()
    const half = [...segments.slice(0, -2), (segments.at(-2) ?? segments[0])?.subarray(0, 40) ?? Buffer.alloc(0)]
    pair.machine.at(pair.machine.printedBytes + 60, () => pair.machine.unplug())
    await pair.host.print({ segments: half })
    await comesToBe(pair, { state: 'lost' })
    await pair.machine.plugIn()
    // Answers that were lost with the cable may leave it unconfirmed.
    const next = await pair.print('TWO')
    expect(next.begun && next.status).toMatch(/printed|unconfirmed/)
    await eventually(() => expect(pair.onPaper('TWO')).toBe(1))
  })

  test.concurrent('a job does not begin while the printer is silent', async ({ onTestFinished }) => {
    const { machine, host, print } = await start(onTestFinished, { settings: IMPATIENT })
    machine.answer('never')
    expect(await print('ONE', { waitMs: 900 })).toMatchObject({
      ...{ begun: false, reason: 'no_answer' },
      detail: expect.stringContaining('not answer'),
    })
    expect([host.begins, machine.papers]).toEqual([0, []])
  })

  test.concurrent('garbage is no answer', async ({ onTestFinished }) => {
    const pair = await start(onTestFinished, { settings: IMPATIENT })
    pair.machine.answer('garbage')
    expect(await pair.print('ONE', { waitMs: 900 })).toMatchObject({ begun: false })
    await comesToBe(pair, { state: 'silent', reason: 'noise' })
    pair.machine.answer('always')
    await comesToBe(pair, { state: 'ready' })
  })

  test.concurrent('a printer that falls silent in the middle makes the receipt fail', async ({ onTestFinished }) => {
    const { machine, print, when, onPaper } = await start(onTestFinished, { settings: IMPATIENT })
    const begin = async () => {
      when(0.3, () => machine.answer('never'))
      return true
    }
    expect(await print('ONE', { begin })).toMatchObject({ begun: true, status: 'failed' })
    await sleep(100)
    expect(onPaper()).toBe(0)
  })

  test.concurrent('a printer that falls silent at the end leaves the receipt unconfirmed', async ({
    onTestFinished,
  }) => {
    const { machine, print, when } = await start(onTestFinished, { settings: IMPATIENT, bytesPerMs: 20 })
    const begin = async () => {
      when(0.95, () => machine.answer('never'))
      return true
    }
    expect(await print('ONE', { begin })).toMatchObject({ begun: true, status: 'unconfirmed' })
  })

  test.concurrent('one that is switched off and on while idle prints again', async ({ onTestFinished }) => {
    const pair = await start(onTestFinished, { settings: IMPATIENT })
    await comesToBe(pair, { state: 'ready' })
    pair.machine.powerOff()
    await comesToBe(pair, { state: 'silent' })
    pair.machine.powerOn()
    await comesToBe(pair, { state: 'ready' })
    expect(await pair.print()).toMatchObject({ status: 'printed' })
    expect(pair.onPaper()).toBe(1)
  })

  test.concurrent('one that is unplugged is lost, and found again under another device name', async ({
    onTestFinished,
  }) => {
    const pair = await start(onTestFinished)
    await comesToBe(pair, { state: 'ready' })
    pair.machine.unplug()
    await comesToBe(pair, { state: 'lost', reason: 'line_lost', fix: expect.stringContaining('Check the cable') })
    const waiting = pair.print()
    await pair.machine.plugIn()
    expect(await waiting).toMatchObject({ status: 'printed' })
    expect(pair.onPaper()).toBe(1)
  })

  test.concurrent('a slow line is waited for', async ({ onTestFinished }) => {
    const { machine, host } = await start(onTestFinished, { settings: { baudRate: 9600 } })
    machine.slowLine(9600)
    expect(await host.print({ segments: kind.receipt('ONE', 30, 0) })).toMatchObject({ status: 'printed' })
    expect(machine.papers).toMatchObject([{ cut: true }])
  })

  test.concurrent('questions that are in a picture by chance make nothing printed that is not', async ({
    onTestFinished,
  }) => {
    const { machine, host, print, onPaper } = await start(onTestFinished, { settings: { answerTimeoutMs: 2000 } })
    const trap = Buffer.from([0x10, 0x04, 1, 0x10, 0x04, 20, 0x1b, 0x06, 0x01, 0x05, 0x04, 0x05, 0x04])
    const segments = kind.receipt().map((segment) => {
      const at = Buffer.from(segment).indexOf(Buffer.alloc(trap.length, 0xaa))
      return at < 0 ? segment : Buffer.concat([segment.subarray(0, at), trap, segment.subarray(at + trap.length)])
    })
    const result = await host.print({ segments })
    if (result.begun && result.status === 'printed') expect(machine.papers).toMatchObject([{ cut: true }])
    await eventually(async () => expect(await print('TWO')).toMatchObject({ status: 'printed' }))
    expect(onPaper('TWO')).toBeGreaterThan(0)
  })

  test.concurrent('when the daemon stops, what has begun ends soon', async ({ onTestFinished }) => {
    const { machine, print, when } = await start(onTestFinished)
    const stop = new AbortController()
    const begin = async () => {
      when(0.3, () => {
        machine.runOutOfPaper()
        stop.abort()
      })
      return true
    }
    expect(await print('ONE', { begin, waitMs: 60_000, signal: stop.signal })).toMatchObject({ status: 'failed' })
  })
})
