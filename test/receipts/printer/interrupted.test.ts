import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { PtyPrinter } from '../../../src/simulator/index.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { bytesIn, RECEIPT_KINDS, type ReceiptKind, timesOnPaper } from '../../support/receipt-kinds.ts'
import { IMPATIENT, startKind } from '../../support/receipt-printer.ts'

const LINES = 11
const BANDS = 1

/** After how many bytes it is interrupted. */
function pointsOf(kind: ReceiptKind): number[] {
  const bytes = bytesIn(kind.receipt('X000', LINES, BANDS))
  return Array.from({ length: Math.ceil(bytes / 64) }, (_, n) => (n + 1) * 64)
}

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

type Pair = Awaited<ReturnType<typeof startKind>>

async function print({ machine, host }: Pair, kind: ReceiptKind, title: string, waitMs: number, arm = () => {}) {
  host.begins = 0
  const begin = async () => {
    arm()
    return true
  }
  const segments = kind.receipt(title, LINES, BANDS)
  const result = await host.print({ segments, waitMs, begin })
  const status = result.begun ? result.status : 'not begun'
  const onPaper = () => timesOnPaper(kind, machine.papers, segments)
  return { title, status, begins: host.begins, onPaper: onPaper(), later: onPaper }
}

const lanes = RECEIPT_KINDS.flatMap((kind) =>
  (Object.keys(INTERRUPTIONS) as (keyof typeof INTERRUPTIONS)[]).map((what) => ({ kind, what, name: kind.name })),
)

type Lane = (typeof lanes)[number]

/** @returns all that was printed, or should have been */
async function interruptAt(points: number[], { kind, what }: Lane, atTheEnd: Parameters<typeof startKind>[2]) {
  const options = {
    settings: { ...IMPATIENT, answerTimeoutMs: 250 },
    timing: { leastMs: 100 },
    bytesPerMs: 40,
  }
  const pair = await startKind(kind, options, atTheEnd)
  const { machine } = pair
  const { begin, end } = INTERRUPTIONS[what]
  // The line is open, and the printer has answered.
  const attempts = [await print(pair, kind, 'W000', PATIENCE_MS)]
  for (const [n, point] of points.entries()) {
    const title = `X${String(n).padStart(3, '0')}`
    const arm = () => machine.at(machine.printedBytes + point, () => begin(machine, n))
    attempts.push(await print(pair, kind, title, 300, arm))
    // Whatever the printer was in the middle of, it prints again; on a busy machine its answers may be late a few times.
    for (const more of 'ABCDEFGHIJKLMNOP') {
      await end(machine)
      const next = await print(pair, kind, `${more}${title.slice(1)}`, 2000)
      attempts.push(next)
      if (next.status === 'printed') break
    }
    expect({ point, ...attempts.at(-1) }).toMatchObject({ point, status: 'printed' })
  }
  return attempts.map((attempt) => ({ ...attempt, later: attempt.later() }))
}

test.concurrent.for(lanes)(
  'a printer that $what at any byte is never said to have printed what it has not: $name',
  async (lane, { onTestFinished }) => {
    const points = pointsOf(lane.kind)
    const half = (rest: number) => points.filter((_, n) => (n >> 1) % 2 === rest)
    const atTheEnd = (close: () => void | Promise<void>) => onTestFinished(close)
    const attempts = (await Promise.all([0, 1].map((rest) => interruptAt(half(rest), lane, atTheEnd)))).flat()

    for (const { title, status, begins, onPaper, later } of attempts) {
      expect({ title, begins }).toEqual({ title, begins: status === 'not begun' ? 0 : 1 })
      if (status === 'printed') expect({ title, onPaper }).toEqual({ title, onPaper: 1 })
      expect({ title, later }).not.toEqual({ title, later: 2 })
    }
    expect(attempts.map(({ status }) => status).join(' ')).toMatch(/failed/)
  },
)
