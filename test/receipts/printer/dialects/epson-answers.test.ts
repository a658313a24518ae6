import { expect, test } from 'vitest'
import { UNKNOWN_CONDITION } from '../../../../src/domain/printer.ts'
import { createEpsonSorter } from '../../../../src/receipts/printer/dialects/epson-answers.ts'
import { readCondition, sayAll } from '../../../../src/receipts/printer/printer-condition.ts'
import { english } from '../../../support/english.ts'

function sort(...pieces: number[][]) {
  const seen: (number | string)[][] = []
  const sorter = createEpsonSorter({
    state: (answer) => seen.push(['realtime', ...answer]),
    mark: (mark) => seen.push(mark.kind === 'id' ? ['id', mark.id] : [mark.kind]),
  })
  for (const piece of pieces) sorter.push(Uint8Array.from(piece))
  return { seen, garbage: sorter.garbage }
}

test('answers are told apart', () => {
  const { seen, garbage } = sort([0x12, 0x1a, 0x72, 0x00, 0x0f, 0x37, 0x22, 0x41, 0x31, 0x7a, 0x20, 0x00])
  expect(seen).toEqual([
    ['realtime', 0x12],
    ['realtime', 0x1a],
    ['realtime', 0x72],
    ['status'],
    ['status'],
    ['id', 'A1z '],
  ])
  expect(garbage).toBe(0)
})

test('an answer that comes in pieces is one answer', () => {
  expect(sort([0x37], [0x22, 0x41], [0x42, 0x43], [0x44], [0x00]).seen).toEqual([['id', 'ABCD']])
})

test('automatic status and flow control are neither answers nor garbage', () => {
  expect(sort([0x11, 0x13, 0x14, 0x00, 0x0f, 0x0f, 0x12, 0x18], [0x60, 0x03], [0x0f])).toEqual({
    seen: [['realtime', 0x12]],
    garbage: 0,
  })
})

test('garbage is counted, and what follows it is understood', () => {
  expect(sort([0xff, 0x80, 0x9c, 0x12])).toEqual({ seen: [['realtime', 0x12]], garbage: 3 })
  // Beginnings that nothing comes of.
  expect(sort([0x37, 0x12])).toEqual({ seen: [['realtime', 0x12]], garbage: 1 })
  expect(sort([0x14, 0x16])).toEqual({ seen: [['realtime', 0x16]], garbage: 1 })
})

const said = (printer: number, cause: number | null, paper: number | null, fault: number | null = null) =>
  english(readCondition({ printer, cause, fault, paper }))

test('the bits of a status are read', () => {
  const well = { state: 'ready', paper: 'ok', cover: 'closed', error: false, reason: null, detail: null, fix: null }
  expect(said(0x12, 0x12, 0x12)).toEqual(well)
  expect(said(0x12, 0x12, 0x1e)).toMatchObject({ state: 'ready', paper: 'near_end', fix: 'Load a new roll soon.' })
  expect(said(0x1a, 0x32, 0x7e)).toMatchObject({ state: 'offline', paper: 'out', detail: 'The paper is out.' })
  expect(said(0x1a, 0x16, 0x12)).toMatchObject({ state: 'offline', cover: 'open', fix: 'Close the cover.' })
  expect(said(0x1a, 0x52, 0x12)).toMatchObject({ state: 'offline', error: true, reason: 'error' })
  expect(said(0x1a, 0x36, 0x7e).detail).toBe('The cover is open. The paper is out.')
  expect(said(0x1a, 0x12, 0x12).detail).toBe('The printer is offline and does not say why.')
})

test.each([
  [0x1a, 'cutter', 'The cutter is jammed.'],
  [0x52, 'overheated', 'The print head is too hot.'],
  [0x32, 'error', 'The printer reports an error that it cannot recover from.'],
  [0x16, 'error', 'The printer reports a mechanical error.'],
  [0x12, 'error', 'The printer reports an error.'],
])('an error that is reported as %i is told apart', (fault, reason, detail) => {
  expect(said(0x1a, 0x52, 0x12, fault)).toMatchObject({ state: 'offline', error: true, reason, detail })
})

test('without paper an open cover is not the reason, and an open cover is no hot head', () => {
  expect(said(0x1a, 0x36, 0x7e)).toMatchObject({ reason: 'paper_out' })
  expect(said(0x1a, 0x56, 0x12, 0x52)).toMatchObject({ reason: 'cover_open', detail: 'The cover is open.' })
})

test('a printer that says it is online stands all the same when its paper is out', () => {
  expect(said(0x12, 0x12, 0x72)).toMatchObject({ state: 'offline', paper: 'out' })
})

test('what was not answered is not known', () => {
  expect(said(0x12, null, null)).toEqual({
    ...{ state: 'ready', paper: null, cover: null, error: null, reason: null, detail: null, fix: null },
  })
})

test('a printer that nobody has looked at has no problem', () => {
  expect([UNKNOWN_CONDITION.state, sayAll(UNKNOWN_CONDITION)]).toEqual(['unknown', null])
})
