import { beforeAll, expect, test } from 'vitest'
import type { PtyPrinter } from '../../src/simulator/index.ts'
import { inDatabase } from '../support/database.ts'
import { fisk, type Ran } from '../support/fisk.ts'
import { type Gateway, startSharedGateway } from '../support/gateway.ts'
import { startVirtualPrinterForFile } from '../support/printer.ts'

const DAY_MS = 86_400_000

let gateway: Gateway
let paper: PtyPrinter
let day: string
const ask = (...argv: string[]): Promise<Ran> => fisk(['receipt', 'closing', ...argv], { socket: gateway.socketPath })

beforeAll(async () => {
  gateway = await startSharedGateway()
  paper = await startVirtualPrinterForFile()
  await gateway.sell({ total: '2.50' })
  day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Zagreb' }).format(gateway.clock.aheadMs + Date.now())
})

test('a day that goes on, and one without sales, are said so and closed by nothing', async () => {
  const today = await ask('--day', day, '--close')
  expect(today.stderr).toContain('the period is not over')
  const shown = await ask('--day', day)
  expect(shown).toMatchObject({ code: 1, stderr: '' })
  expect(shown.stdout).toContain(
    `Not closed yet: 1 invoices of 1 premises in ${day}.\nIt can be closed when it is over.`,
  )
  const before = await ask()
  expect(before.code).toBe(1)
  expect(before.stdout).toMatch(/^There are no sales in \d{4}-\d\d-\d\d\.\n$/)
  expect((await ask('--day', '2026-02-30')).code).toBe(2)
  expect((await ask('--day', day, '--month', '2026-02')).code).toBe(2)
})

test('a day is closed once it is over, shown as it looks on paper, and stays as it is', async () => {
  gateway.clock.aheadMs += DAY_MS
  const open = await ask()
  expect(open).toMatchObject({ code: 1 })
  expect(open.stdout).toContain('Close them with --close.')
  const closed = await ask('--close')
  expect(closed).toMatchObject({ code: 0, stderr: '' })
  expect(closed.stdout).toContain('ZAKLJUČAK')
  expect(closed.stdout).toContain('OVO NIJE FISKALIZIRANI RAČUN')
  expect(await ask('--day', day)).toEqual(closed)
  const json = JSON.parse((await ask('--json', '--columns', '32')).stdout)
  expect(json).toMatchObject({ period: day, mode: 'test', is_over: true, open: { invoices: 0 }, has_more: false })
  expect(json.data).toMatchObject([{ number: 1, invoices: 1, total: '2.50', premises_code: 'POSL1' }])
  expect(Math.max(...json.data[0].text.split('\n').map(({ length }: string) => length))).toBeLessThanOrEqual(32)
  expect((await ask('--premises', 'OTHER')).stdout).toContain('There are no sales')
})

test('a closing is printed where its premises has a printer, and the audit log says so', async () => {
  const without = await ask('--print')
  expect(without.code).not.toBe(0)
  expect(without.stderr).toContain('no device of this premises has a printer here')
  const set = ['printer', 'set', 'machine', '--line', `serial:${paper.path}`, '--profile', 'epson-tm-t20']
  await fisk([...set, '--answer-timeout-ms', '1000'], { socket: gateway.socketPath })
  const printed = await ask('--print')
  expect(printed).toMatchObject({ code: 0, stderr: '' })
  expect(printed.stdout).toContain('Printed, machine.')
  const [page] = paper.papers.filter(({ cut }) => cut)
  expect(page?.text).toContain('ZAKLJUČAK')
  expect(page?.text).not.toContain('ZKI')
  const told = await inDatabase(gateway, "SELECT detail FROM audit_log WHERE action = 'closing.printed'")
  expect(told).toHaveLength(1)
  paper.runOutOfPaper()
  expect(await ask('--print', '--device', 'machine')).toMatchObject({ code: 1 })
}, 60_000)
