import { expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { startPair } from '../../support/receipt-printer.ts'

const bytes = (text: string) => Buffer.from(text, 'latin1')
const lines = Array.from({ length: 40 }, (_, n) => bytes(`line ${n} of goods and services\n`))
/** A picture whose bytes are questions of one byte, which a Star in line mode answers at once. */
const asking = bytes(`\x1bX\x04\0${'\x04\x05'.repeat(6)}\n`)
const segments = [bytes('\x1b@'), ...lines, asking, bytes('\x1bd\x03')]

/** A Star that reports by itself until it is told not to, and wraps its answers as on a network. */
const start = (atTheEnd: Parameters<typeof startPair>[1]) =>
  startPair(
    {
      ...{ commands: 'star_line', networkStatus: true, reportsFromStart: true },
      settings: { commands: 'star_line', confirm: 'star' },
    },
    atTheEnd,
  )

test.concurrent('what a Star reports by itself, and answers to a picture, is no late answer', async ({
  onTestFinished,
}) => {
  const { machine, host } = await start(onTestFinished)
  for (const papers of [1, 2]) {
    expect(await host.print({ segments })).toMatchObject({ status: 'printed' })
    expect(machine.papers.filter(({ cut }) => cut)).toHaveLength(papers)
  }
})

test.concurrent('a Star that had no paper when its line was opened prints once there is some', async ({
  onTestFinished,
}) => {
  const { machine, host } = await start(onTestFinished)
  machine.runOutOfPaper()
  expect(await host.print({ segments, waitMs: 200 })).toMatchObject({ begun: false, reason: 'paper_out' })
  machine.loadPaper()
  expect(await host.print({ segments })).toMatchObject({ status: 'printed' })
})

test.concurrent('a Star that stops for want of paper in the middle fails, and names it', async ({ onTestFinished }) => {
  const { machine, host } = await start(onTestFinished)
  await eventually(() => expect(host.printer.condition().state).toBe('ready'))
  machine.at(machine.printedBytes + 600, () => machine.runOutOfPaper())
  expect(await host.print({ segments, waitMs: 1500 })).toMatchObject({ status: 'failed', reason: 'paper_out' })
})
