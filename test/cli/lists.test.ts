import { parse } from 'csv-parse/sync'
import { beforeAll, expect, test } from 'vitest'
import { amount } from '../../src/cli/text/amount.ts'
import { PLAIN_SCREEN, screenOf } from '../../src/cli/text/screen.ts'
import { fisk } from '../support/fisk.ts'
import { type Gateway, type InvoiceBody, startSharedGateway } from '../support/gateway.ts'

let gateway: Gateway
let sold: InvoiceBody
beforeAll(async () => {
  gateway = await startSharedGateway()
  sold = await gateway.sell({ total: '1234.50' })
})

const ask = (argv: string[], env = {}) => fisk(argv, { socket: gateway.socketPath, env })

/** The rows of a CSV file by their columns, as a program of the office reads it. */
async function csv(...argv: string[]): Promise<Record<string, string>[]> {
  const { code, stdout } = await ask([...argv, '--csv'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^[a-z_,]+\r\n/)
  return parse(stdout, { columns: true })
}

test.each([
  ['1234567.05', 'en', '1,234,567.05'],
  ['1234567.05', 'hr', '1.234.567,05'],
  ['-999.90', 'en', '-999.90'],
  ['-1000.00', 'hr', '-1.000,00'],
  ['0.00', 'hr', '0,00'],
] as const)('%s reads in %s as %s', (money, language, shown) => {
  expect(amount(money, language)).toBe(shown)
})

test('sales are listed by their receipt numbers, and the id for other commands is whole', async () => {
  const english = await ask(['invoice', 'list'])
  expect(english.stdout).toMatch(/^ {2}Receipt number +Sold +Total {2}Status +JIR$/m)
  expect(english.stdout).toMatch(/^ {2}1\/POSL1\/101 +\d\d\.\d\d\.\d{4} \d\d:\d\d +1,234\.50 {2}confirmed +yes$/m)
  expect(english.stdout).toContain(`\n    ${sold.id}\n`)
  for (const line of english.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  const croatian = await ask(['invoice', 'list'], { LANG: 'hr_HR.UTF-8' })
  expect(croatian.stdout).toMatch(/^ {2}Broj računa +Izdano +Iznos {2}Stanje +JIR$/m)
  expect(croatian.stdout).toMatch(/^ {2}1\/POSL1\/101 .+ 1\.234,50 {2}potvrđen +da$/m)
})

test('as CSV a sale has the values of /v1', async () => {
  const [row, ...others] = await csv('invoice', 'list')
  expect(others).toEqual([])
  expect(row).toMatchObject({
    id: sold.id,
    receipt_number: '1/POSL1/101',
    occurred_at: sold.occurred_at,
    total: '1234.50',
    status: 'confirmed',
    jir: sold.jir,
    late_delivery: 'false',
  })
})

test('a list without rows has its header as CSV, and the language changes nothing', async () => {
  const { stdout } = await ask(['invoice', 'list', '--status', 'failed', '--csv'], { LANG: 'hr_HR.UTF-8' })
  expect(stdout).toMatch(/^id,receipt_number,occurred_at,total,.*\r\n$/)
  expect(await csv('invoice', 'list', '--status', 'failed')).toEqual([])
})

test('all rows are in the CSV where no page is asked for, and a page where one is', async () => {
  for (let count = 0; count < 3; count++) await gateway.sell()
  expect(await csv('invoice', 'list')).toHaveLength(4)
  expect(await csv('invoice', 'list', '--limit', '2')).toHaveLength(2)
})

test('a label that a spreadsheet would take for a formula is made harmless', async () => {
  await gateway.addDevice({ label: '=1+1, "x"', premises_code: 'POSL2' })
  expect((await csv('device', 'list')).map(({ label }) => label)).toContain(`'=1+1, "x"`)
})

test.each([
  ['company list', 'oib'],
  ['cert list', 'subject_oib'],
  ['key list', 'scopes'],
  ['audit', 'action'],
])('%s has a CSV with its %s', async (command, column) => {
  const [row] = await csv(...command.split(' '))
  expect(row?.[column]).toBeTruthy()
})

test('alerts have a CSV, and without one its header', async () => {
  expect(await csv('alert', 'list')).toEqual([])
})

test('CSV and JSON at once are refused', async () => {
  const { code, stderr } = await ask(['device', 'list', '--csv', '--json'])
  expect(code).toBe(2)
  expect(stderr).toContain('Leave --csv or --json out.')
})

test('texts are as wide as the terminal, within what can be read, and 80 columns without one', () => {
  const width = (columns: number | undefined, isTty = true) =>
    screenOf({ stdout: { columns } as never, isTty, env: {} }).columns
  expect([width(100), width(20), width(300), width(undefined), width(200, false)]).toEqual([100, 40, 120, 80, 80])
  expect(PLAIN_SCREEN.columns).toBe(80)
})

test.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [false, { FORCE_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  [true, { TERM: 'dumb' }, false],
] as const)('on a terminal (%s) with %j there are colours: %s', (isTty, env, colour) => {
  expect(screenOf({ stdout: {} as never, isTty, env }).colour).toBe(colour)
})
