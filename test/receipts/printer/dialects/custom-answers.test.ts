import { expect, test } from 'vitest'
import { CUSTOM } from '../../../../src/receipts/printer/dialects/custom.ts'
import type { Mark } from '../../../../src/receipts/printer/dialects/dialect.ts'

function sort(...pieces: (string | number[])[]) {
  const answers: number[][] = []
  const marks: Mark[] = []
  const sorter = CUSTOM.createSorter({
    state: (answer) => answers.push([...answer]),
    mark: (mark) => marks.push(mark),
  })
  for (const piece of pieces) sorter.push(Buffer.from(piece as never, 'latin1'))
  return { answers, marks, garbage: sorter.garbage }
}

const conditionOf = async (...parts: number[]) =>
  (await CUSTOM.look(async () => Uint8Array.of(0x10, 0x0f, ...parts)))?.condition

test('a full status has four bytes of any value after its head', () => {
  const status = [0x10, 0x0f, 0x24, 0x08, 0xff, 0x11]
  expect(sort(status.slice(0, 1), status.slice(1, 5), status.slice(5))).toEqual({
    ...{ answers: [status], marks: [], garbage: 0 },
  })
})

test('counters come as text, with or without a blank, in pieces, and with other answers', () => {
  expect(sort('23', '76 cu', 'ts512on', '785cuts\0', [0x10, 0x0f, 0, 0, 0, 0]).marks).toEqual([
    { kind: 'cuts', count: 2376 },
    { kind: 'power_ups', count: 512 },
    { kind: 'cuts', count: 785 },
  ])
})

test('other text is noise', () => {
  const { marks, garbage } = sort('ERROR 12 apples 99999999999999cuts')
  expect(marks.filter(({ kind }) => kind !== 'cuts')).toEqual([])
  expect(garbage).toBeGreaterThan(10)
})

test('the bits of a status are read', async () => {
  expect(await conditionOf(0x20, 0, 0, 0)).toMatchObject({ state: 'ready', paper: 'ok', cover: 'closed', error: false })
  expect(await conditionOf(0x05, 0, 0, 0)).toMatchObject({ reason: 'paper_out' })
  expect(await conditionOf(0x04, 0, 0, 0)).toMatchObject({ state: 'ready', paper: 'near_end' })
  expect(await conditionOf(0, 0x03, 0, 0)).toMatchObject({ state: 'offline', cover: 'open' })
  expect(await conditionOf(0, 0, 0x01, 0)).toMatchObject({ reason: 'overheated' })
  expect(await conditionOf(0, 0, 0x40, 0)).toMatchObject({ reason: 'error' })
  expect(await conditionOf(0, 0, 0, 0x01)).toMatchObject({ reason: 'cutter' })
})
