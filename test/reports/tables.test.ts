import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import type { Cell, Table } from '../../src/reports/tables/cells.ts'
import { csvOf } from '../../src/reports/tables/csv.ts'
import { workbookOf } from '../../src/reports/tables/workbook.ts'
import { tempDir } from '../support/temp-dir.ts'
import { skipWithout } from '../support/tools.ts'

const NOON_IN_SUMMER = Date.parse('2026-07-01T12:00:05+02:00')
const AFTER_MIDNIGHT = Date.parse('2026-01-01T00:30:00+01:00')

function tableOf(rows: Cell[][], columns = rows[0]?.length ?? 1, slice = 2): Table {
  const slices = Array.from({ length: Math.ceil(rows.length / slice) }, (_, i) =>
    rows.slice(i * slice, (i + 1) * slice),
  )
  return {
    title: 'List',
    columns: Array.from({ length: columns }, (_, i) => ({ title: `Stupac ${i + 1}`, width: 10 })),
    rows: Readable.from(slices),
  }
}

async function csv(rows: Cell[][]): Promise<string> {
  let text = ''
  for await (const piece of csvOf(tableOf(rows))) text += piece
  return text
}

test('a CSV file is what spreadsheets in Croatia read: UTF-8 with its mark, semicolons, decimal commas, their dates', async () => {
  const text = await csv([
    ['Žuta čizma; „d.o.o.”', { money: -123456n }, { count: 7 }, { rate: '25.00' }, null],
    [{ day: AFTER_MIDNIGHT }, { clock: AFTER_MIDNIGHT }, { moment: NOON_IN_SUMMER }, { day: NOON_IN_SUMMER }, 'x"y'],
  ])
  expect(text).toBe(
    '\ufeffStupac 1;Stupac 2;Stupac 3;Stupac 4;Stupac 5\r\n' +
      '"Žuta čizma; „d.o.o.”";-1234,56;7;25,00;\r\n' +
      '01.01.2026.;00:30:00;01.07.2026. 12:00:05;01.07.2026.;"x""y"\r\n',
  )
})

test.each([
  ['=1+1', "'=1+1"],
  ['+385 1 2345', "'+385 1 2345"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "' =1"],
  ['\r=1', "' =1"],
  ['\ttab', "' tab"],
  ['  =cmd', "'  =cmd"],
  ['＝1', "'＝1"],
  ['a\r\nb', 'a b'],
  ['a=1', 'a=1'],
  ['1/POSL1/1', '1/POSL1/1'],
])('a text such as %j is never a formula in a spreadsheet, nor a new row', async (text, written) => {
  const [, row] = parse(await csv([[text, { money: -100n }]]), { delimiter: ';', bom: true }) as string[][]
  expect(row).toEqual([written, '-1,00'])
})

test.skipIf(skipWithout('python3'))('a workbook holds real numbers and dates, and texts that stay texts', async () => {
  const sheets = await workbook(
    tableOf([
      ['<b>&"Žuta"</b> =1+1', { money: -1_000_000_000_000_000_099n }, { count: 7 }, { rate: '25.00' }],
      [{ day: AFTER_MIDNIGHT }, { clock: AFTER_MIDNIGHT }, { moment: NOON_IN_SUMMER }, null],
      ['_x0041_\u0000\ud800', '  two ', '12/5/1', '02994650199'],
    ]),
  )
  expect(sheets.List?.slice(1)).toEqual([
    {
      A: { text: '<b>&"Žuta"</b> =1+1' },
      B: { number: '-10000000000000000.99', format: '4' },
      C: { number: '7', format: '3' },
      D: { number: '25.00', format: '2' },
    },
    {
      A: { number: '46023', format: 'dd\\.mm\\.yyyy\\.' },
      B: { number: '0.020833333', format: 'hh:mm:ss' },
      C: { number: '46204.500057870', format: 'dd\\.mm\\.yyyy\\.\\ hh:mm:ss' },
    },
    {
      A: { text: '_x005F_x0041_\ufffd\ufffd' },
      B: { text: '  two ' },
      C: { text: '12/5/1' },
      D: { text: '02994650199' },
    },
  ])
})

test.skipIf(skipWithout('python3'))('no text is a formula in a workbook either', async () => {
  const texts = ['=1+1', '+385 1 2345', '-1', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("https://evil.example")', '＝1']
  const { List = [] } = await workbook(tableOf(texts.map((text) => [text])))
  // A carriage return is a line break to whoever reads XML.
  expect(List.slice(1)).toEqual(texts.map((text) => ({ A: { text: text.replace('\r', '\n') } })))
})

test.skipIf(skipWithout('python3'))('a table that is longer than a sheet goes on on further ones', async () => {
  const rows: Cell[][] = Array.from({ length: 7 }, (_, i) => [{ count: i }])
  const numbers = (sheet: Record<string, { number?: string }>[] = []) => sheet.slice(1).map(({ A }) => A?.number)
  const cut = await workbook(tableOf(rows, 1, 5), 4)
  expect(Object.keys(cut)).toEqual(['List', 'List (2)', 'List (3)'])
  expect(Object.values(cut).flatMap(numbers)).toEqual(['0', '1', '2', '3', '4', '5', '6'])
  expect(Object.keys(await workbook(tableOf(rows.slice(0, 6), 1, 3), 4))).toEqual(['List', 'List (2)'])
  expect(Object.keys(await workbook(tableOf([], 1), 4))).toEqual(['List'])
})

test('whoever stops reading stops what makes the file', async () => {
  let stopped = false
  const rows = async function* (): AsyncGenerator<Cell[][]> {
    try {
      for (;;) yield Array.from({ length: 100 }, () => ['x'.repeat(100)])
    } finally {
      stopped = true
    }
  }
  const content = Readable.from(workbookOf([{ title: 'List', columns: [{ title: 'x', width: 1 }], rows: rows() }]))
  for await (const chunk of content) {
    expect(chunk.length).toBeGreaterThan(0)
    break
  }
  await expect.poll(() => stopped).toBe(true)
})

test('a failure in the middle ends the file as a failure', async () => {
  const rows = async function* (): AsyncGenerator<Cell[][]> {
    yield [['x']]
    throw new Error('the disk is gone')
  }
  const reading = async () => {
    for await (const _chunk of workbookOf([{ title: 'List', columns: [{ title: 'x', width: 1 }], rows: rows() }])) {
    }
  }
  await expect(reading()).rejects.toThrow('the disk is gone')
})

async function workbook(
  table: Table,
  mostRows?: number,
): Promise<Record<string, Record<string, { number?: string }>[]>> {
  const chunks: Uint8Array[] = []
  for await (const chunk of workbookOf([table], mostRows)) chunks.push(chunk)
  const path = join(await tempDir(), 'book.xlsx')
  writeFileSync(path, Buffer.concat(chunks))
  const read = execFileSync('python3', [join(import.meta.dirname, 'read-workbook.py'), path], { encoding: 'utf8' })
  return JSON.parse(read)
}
