import { expect, test } from 'vitest'
import type { Mark } from '../../../../src/receipts/printer/dialects/dialect.ts'
import { STAR } from '../../../../src/receipts/printer/dialects/star.ts'

function sort(...pieces: number[][]) {
  const answers: Uint8Array[] = []
  const marks: Mark[] = []
  const sorter = STAR.createSorter({ state: (answer) => answers.push(answer), mark: (mark) => marks.push(mark) })
  for (const piece of pieces) sorter.push(Uint8Array.from(piece))
  return { answers, marks, garbage: sorter.garbage }
}

const WELL = [0x23, 0x06, 0, 0, 0, 0, 0, 0, 0]
const conditionOf = async (...answer: number[]) => (await STAR.look(async () => Uint8Array.from(answer)))?.condition

test('the first header says how long an answer is, and pieces are one answer', () => {
  expect(sort(WELL.slice(0, 4), WELL.slice(4)).answers).toEqual([Uint8Array.from(WELL)])
  const older = [0x0f, 0x02, 0, 0, 0, 0, 0]
  expect(sort(older)).toMatchObject({ answers: [Uint8Array.from(older)], marks: [], garbage: 0 })
})

test('the counter of executed ETB has five bits in the eighth byte', () => {
  const counter = (byte: number) => sort([...WELL.slice(0, 7), byte, 0]).marks
  expect([counter(0x02), counter(0x0e), counter(0x20), counter(0x6e)].flat()).toEqual(
    [1, 7, 8, 31].map((count) => ({ kind: 'etb', count })),
  )
})

test('on a network a length follows, and what has data answers another question', () => {
  const wide = [0x23, 0x86, ...WELL.slice(2)]
  expect(sort([...wide, 0, 0])).toMatchObject({ answers: [Uint8Array.from(wide)], garbage: 0 })
  expect(sort([...wide, 0, 3, 1, 2, 3, ...wide, 0, 0]).answers).toHaveLength(1)
})

test('answers of other printers, flow control and noise are no answer', () => {
  expect(sort([0x11, 0x13]).garbage).toBe(0)
  expect(sort([0x12, 0x1a, 0xff, 0x23, 0xff, ...WELL])).toMatchObject({ answers: [Uint8Array.from(WELL)], garbage: 5 })
})

test('what a Star answers to ENQ and EOT, which the dots of a logo may contain, is neither an answer nor noise', () => {
  const byChance = [0x20, 0x28, 0x04, 0x10, 0x14, 0x1c]
  expect(sort([...byChance, ...WELL, ...byChance])).toMatchObject({ answers: [Uint8Array.from(WELL)], garbage: 0 })
})

test('the bits of a status are read', async () => {
  expect(await conditionOf(...WELL)).toMatchObject({ state: 'ready', paper: 'ok', cover: 'closed', error: false })
  expect(await conditionOf(0x23, 6, 0x28, 0, 0, 0, 0, 0, 0)).toMatchObject({ state: 'offline', reason: 'cover_open' })
  expect(await conditionOf(0x23, 6, 0x08, 0, 0, 0x0c, 0, 0, 0)).toMatchObject({ reason: 'paper_out', paper: 'out' })
  expect(await conditionOf(0x23, 6, 0, 0, 0, 0x04, 0, 0, 0)).toMatchObject({ state: 'ready', paper: 'near_end' })
  expect(await conditionOf(0x23, 6, 0x08, 0x08, 0, 0, 0, 0, 0)).toMatchObject({ reason: 'cutter' })
  expect(await conditionOf(0x23, 6, 0x08, 0x40, 0, 0, 0, 0, 0)).toMatchObject({ reason: 'overheated' })
  expect(await conditionOf(0x23, 6, 0x08, 0, 0, 0, 0, 0, 0)).toMatchObject({ reason: 'offline' })
})
