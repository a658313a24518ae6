import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { invoiceTable } from '../../src/dashboard/export/invoice-table.ts'
import { texts as exportTexts } from '../../src/dashboard/export/texts.ts'
import { type ClosingFacts, ClosingSum, closingText } from '../../src/domain/sale/closing.ts'
import type { FiscalDocument } from '../../src/domain/sale/sale.ts'
import { startOfDate } from '../../src/domain/working-days.ts'
import type { ClosedPeriod, ClosingsWanted } from '../../src/fiscal/closings/closings.ts'
import { closingsCsv } from '../../src/reports/closings/file.ts'
import { texts } from '../../src/reports/closings/texts.ts'
import { inProject } from '../support/stand-in.ts'
import { fleet } from '../support/sync-rows.ts'

const document = readFileSync(inProject('docs/bookkeeping.md'), 'utf8')
const WANTED: ClosingsWanted = { unit: 'day', starts: '2026-11-22', mode: 'live' }

async function csv(language: 'hr' | 'en', closed: ClosedPeriod[] = []): Promise<string[]> {
  const pieces: string[] = []
  for await (const piece of closingsCsv([closed], WANTED, texts[language]).content) pieces.push(String(piece))
  return pieces.join('').replace('\ufeff', '').trimEnd().split('\r\n')
}

/** Number and titles, as the tables have them. */
const lines = (hr: readonly string[], en: readonly string[]) =>
  hr.map((title, at) => `| ${at + 1} | ${title} | ${en[at]} |`)

/** Of the table below a heading. */
function columnsUnder(heading: string): string[] {
  const [, section = ''] = document.split(`\n## ${heading}\n`)
  const rows = (section.split('\n## ')[0] ?? '').match(/^\| \d+ \| .*$/gm) ?? []
  return rows.map((row) => `${row.split(' | ').slice(0, 3).join(' | ')} |`)
}

test('the columns of the file of closings are those of the document, in both languages', async () => {
  const [[hr = ''], [en = '']] = [await csv('hr'), await csv('en')]
  expect(columnsUnder('Closings')).toEqual(lines(hr.split(';'), en.split(';')))
})

test('the columns of the file of invoices are those of the document, in both languages', () => {
  const titles = (language: 'hr' | 'en') =>
    invoiceTable(exportTexts[language], (async function* () {})()).columns.map(({ title }) => title)
  expect(columnsUnder('Invoices')).toEqual(lines(titles('hr'), titles('en')))
})

test('the example is what the program writes for such a day', async () => {
  const { company, invoice } = fleet({ premisesCode: 'POSL1' })
  const facts: ClosingFacts = {
    ...{ ...WANTED, number: 1, premisesCode: 'POSL1', closedAt: startOfDate(2026, 11, 23) + 3 * 3_600_000 },
    ...{ closedBy: 'ana', company: { id: company.id, name: 'Kava; čaj d.o.o.', oib: company.oib }, gateway: null },
  }
  const closed = (more: Partial<ClosingFacts>, sales: [number, Partial<FiscalDocument>, boolean?][]): ClosedPeriod => {
    const sum = new ClosingSum()
    for (const [number, changes, hasJir = true] of sales) {
      const sold = invoice(number)
      sum.add({ id: sold.id, year: 2026, document: { ...sold.document, ...changes }, hasJir })
    }
    return { id: '', document: JSON.parse(closingText({ ...facts, ...more }, sum.sums())) }
  }
  const lunch = { total: '11.50', vat: [{ rate: '13.00', base: '10.00', amount: '1.30' }] }
  const bottle = { fees: [{ name: 'Povratna naknada', amount: '0.20' }], paymentMethod: 'K' as const }
  const refund = { total: '-2.50', vat: [{ rate: '25.00', base: '-2.00', amount: '-0.50' }] }
  const day = closed({}, [
    [117, {}],
    [118, { ...lunch, ...bottle }],
    [119, {}],
    [120, refund, false],
  ])
  const late = { number: 2, closedAt: startOfDate(2026, 11, 24) + 9 * 3_600_000 }
  const [, example = ''] = /```csv\n([^`]*)\n```/.exec(document) ?? []
  expect(example.split('\n')).toEqual(await csv('hr', [day, closed(late, [[121, {}]])]))
})

test('the columns that are booked add up on both sides of the example', () => {
  const [, example = ''] = /```csv\n([^`]*)\n```/.exec(document) ?? []
  const booked = example.split('\n').slice(1)
  expect(booked).toHaveLength(2)
  for (const row of booked) {
    const cells = row.replace(/"[^"]*"/, 'x').split(';')
    const sum = (from: number, to: number) =>
      cells.slice(from - 1, to).reduce((cents, cell) => cents + Math.round(Number(cell.replace(',', '.')) * 100), 0)
    expect([sum(11, 14), sum(15, 30)]).toEqual([sum(10, 10), sum(10, 10)])
  }
})
