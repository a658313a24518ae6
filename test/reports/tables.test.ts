import { Readable } from 'node:stream'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { type Cell, type Table, totalledTable } from '../../src/reports/tables/cells.ts'
import { csvOf } from '../../src/reports/tables/csv.ts'
import { workbookOf } from '../../src/reports/tables/workbook.ts'
import { skipWithout } from '../support/tools.ts'
import { filterOf, readWorkbook } from '../support/workbook.ts'

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

const MARCH = Date.parse('2026-03-01T00:00:00+01:00')
const SOLD = [
  { company: 'Žuta d.o.o.', oib: '85821130368', paid: 'cash', cents: 250n },
  { company: 'Kava d.o.o.', oib: '02994650199', paid: 'cash', cents: 100n },
  { company: 'Kava d.o.o.', oib: '02994650199', paid: 'card', cents: -40n },
]

function soldTable(sold: typeof SOLD): Table {
  const table = totalledTable<(typeof SOLD)[0]>(
    'Revenue',
    [
      { title: 'Month', width: 10, cell: () => ({ month: MARCH }) },
      { title: 'Company', width: 10, cell: ({ company }) => company, total: 'same' },
      { title: 'OIB', width: 10, cell: ({ oib }) => oib, total: 'same' },
      { title: 'Paid', width: 10, cell: ({ paid }) => paid },
      { title: 'Invoices', width: 10, cell: () => ({ count: 1 }), total: 'sum' },
      { title: 'Total', width: 10, cell: ({ cents }) => ({ money: cents }), total: 'sum' },
    ],
    Readable.from(sold.map((one) => [one])),
    { groupOf: ({ company }) => company, total: 'Total' },
  )
  return { ...table, about: ['Revenue by month', 'March', ''] }
}

test.skipIf(skipWithout('python3'))(
  'a workbook says above its rows what they are, and below them what each company and all have sold',
  async () => {
    const bytes = await bytesOf(soldTable(SOLD))
    const { Revenue: rows = [] } = await readWorkbook(bytes)
    expect(rows.slice(0, 3)).toEqual([{ A: { text: 'Revenue by month' } }, { A: { text: 'March' } }, {}])
    expect(rows[3]?.A).toEqual({ text: 'Month' })
    expect(rows[4]?.A).toEqual({ number: '46082', format: 'mm\\.yyyy\\.' })
    // Neither the lines above nor the totals are sorted or filtered with the rows.
    expect(filterOf(bytes)).toBe('A4:F7')
    expect(rows.slice(7)).toEqual([
      {},
      {
        A: { text: 'Total' },
        B: { text: 'Kava d.o.o.' },
        C: { text: '02994650199' },
        E: { number: '2', format: '3' },
        F: { number: '0.60', format: '4' },
      },
      {
        A: { text: 'Total' },
        B: { text: 'Žuta d.o.o.' },
        C: { text: '85821130368' },
        E: { number: '1', format: '3' },
        F: { number: '2.50', format: '4' },
      },
      { A: { text: 'Total' }, E: { number: '3', format: '3' }, F: { number: '3.10', format: '4' } },
    ])
  },
)

test.skipIf(skipWithout('python3'))(
  'of one company there is one row of totals, and of none there is none',
  async () => {
    const { Revenue: one = [] } = await workbook(soldTable(SOLD.slice(0, 1)))
    expect(one.slice(5).map(({ F }) => F?.number)).toEqual([undefined, '2.50'])
    expect((await workbook(soldTable([]))).Revenue).toHaveLength(4)
  },
)

test.skipIf(skipWithout('python3'))('totals stand on the last of several sheets', async () => {
  const cut = await workbook(soldTable(SOLD), 1006)
  expect(Object.keys(cut)).toEqual(['Revenue', 'Revenue (2)'])
  expect(cut.Revenue).toHaveLength(6)
  expect(cut['Revenue (2)']?.slice(5).map(({ F }) => F?.number)).toEqual([undefined, '0.60', '2.50', '3.10'])
})

test('in a CSV file, which a program reads, there are the rows alone', async () => {
  let text = ''
  for await (const piece of csvOf(soldTable(SOLD))) text += piece
  expect(text.trim().split('\r\n')).toEqual([
    'Month;Company;OIB;Paid;Invoices;Total',
    '03.2026.;Žuta d.o.o.;85821130368;cash;1;2,50',
    '03.2026.;Kava d.o.o.;02994650199;cash;1;1,00',
    '03.2026.;Kava d.o.o.;02994650199;card;1;-0,40',
  ])
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

async function bytesOf(table: Table, mostRows?: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of workbookOf([table], mostRows)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const workbook = async (table: Table, mostRows?: number) => readWorkbook(await bytesOf(table, mostRows))
