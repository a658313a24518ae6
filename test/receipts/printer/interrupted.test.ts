import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { PtyPrinter } from '../../../src/simulator/printer/index.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { type Host, IMPATIENT, receipt, startPair, timesOnPaper } from '../../support/receipt-printer.ts'

const LINES = 11
const BANDS = 1
const BYTES = receipt('X000', LINES, BANDS).reduce((sum, { length }) => sum + length, 0)
const POINTS = Array.from({ length: Math.ceil(BYTES / 64) }, (_, n) => (n + 1) * 64)

/** What goes wrong when so many bytes are taken, and what makes it well when the job is over. */
const INTERRUPTIONS = {
  // Longer than an answer may take, as booting is; with flow control, what is sent meanwhile arrives afterwards.
  'loses power': {
    begin: (machine: PtyPrinter, n: number) => machine.powerCycle({ offMs: 400, held: n % 2 === 1 }),
    end: () => sleep(150),
  },
  'runs out of paper': {
    begin: (machine: PtyPrinter) => machine.runOutOfPaper(),
    end: async (machine: PtyPrinter) => machine.loadPaper(),
  },
  'loses its cable': {
    begin: (machine: PtyPrinter) => machine.unplug(),
    end: (machine: PtyPrinter) => machine.plugIn(),
  },
}

async function print(
  { machine, host }: { machine: PtyPrinter; host: Host },
  title: string,
  waitMs: number,
  arm = () => {},
) {
  host.begins = 0
  const begin = async () => {
    arm()
    return true
  }
  const result = await host.print({ segments: receipt(title, LINES, BANDS), waitMs, begin })
  const status = result.begun ? result.status : 'not begun'
  return { title, status, begins: host.begins, onPaper: timesOnPaper(machine, title, LINES, BANDS) }
}

const lanes = (['process_id', 'status', 'realtime'] as const).flatMap((confirm) =>
  (Object.keys(INTERRUPTIONS) as (keyof typeof INTERRUPTIONS)[]).map((what) => ({ confirm, what })),
)

type Lane = (typeof lanes)[number]

/** @returns all that was printed, or should have been */
async function interruptAt(points: number[], { confirm, what }: Lane, atTheEnd: Parameters<typeof startPair>[1]) {
  const options = {
    settings: { ...IMPATIENT, confirm, answerTimeoutMs: 250 },
    timing: { leastMs: 100 },
    bytesPerMs: 40,
  }
  const pair = await startPair(options, atTheEnd)
  const { machine } = pair
  const { begin, end } = INTERRUPTIONS[what]
  // The line is open, and the printer has answered.
  const attempts = [await print(pair, 'W000', PATIENCE_MS)]
  for (const [n, point] of points.entries()) {
    const title = `X${String(n).padStart(3, '0')}`
    const arm = () => machine.at(machine.printedBytes + point, () => begin(machine, n))
    attempts.push(await print(pair, title, 300, arm))
    // Whatever the printer was in the middle of, it prints again; on a busy machine its answers may be late a few times.
    for (const more of 'ABCDEFGHIJKLMNOP') {
      await end(machine)
      const next = await print(pair, `${more}${title.slice(1)}`, 2000)
      attempts.push(next)
      if (next.status === 'printed') break
    }
    expect({ point, ...attempts.at(-1) }).toMatchObject({ point, status: 'printed' })
  }
  return attempts.map((attempt) => ({ ...attempt, later: timesOnPaper(machine, attempt.title, LINES, BANDS) }))
}

test.concurrent.for(lanes)(
  'a printer that $what at any byte is never said to have printed what it has not ($confirm)',
  async (lane, { onTestFinished }) => {
    const half = (rest: number) => POINTS.filter((_, n) => (n >> 1) % 2 === rest)
    const atTheEnd = (close: () => void | Promise<void>) => onTestFinished(close)
    const attempts = (await Promise.all([0, 1].map((rest) => interruptAt(half(rest), lane, atTheEnd)))).flat()

    for (const { title, status, begins, onPaper, later } of attempts) {
      expect({ title, begins }).toEqual({ title, begins: status === 'not begun' ? 0 : 1 })
      if (status === 'printed') expect({ title, onPaper }).toEqual({ title, onPaper: 1 })
      expect({ title, later }).not.toEqual({ title, later: 2 })
    }
    // Where all was sent before the printer stood, and only time tells, nobody can say more.
    const wanted = lane.confirm === 'realtime' ? /failed|unconfirmed/ : /failed/
    expect(attempts.map(({ status }) => status).join(' ')).toMatch(wanted)
  },
)
