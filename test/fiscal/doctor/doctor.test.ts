import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { failure, fine, type SaidCheck } from '../../../src/domain/check.ts'
import { alike } from '../../../src/domain/texts/both.ts'
import type { Diagnosis } from '../../../src/fiscal/doctor/doctor.ts'
import { createDoctor } from '../../../src/fiscal/doctor/doctor.ts'
import { inEnglish } from '../../support/diagnosis.ts'
import { fisk } from '../../support/fisk.ts'
import { type Gateway, startEmptyGateway, startGateway, startSharedGateway } from '../../support/gateway.ts'
import { backUp, sellTaxed } from '../../support/healthy.ts'
import { OIBS } from '../../support/pki.ts'
import { tamper } from '../../support/tamper.ts'
import { tempDir } from '../../support/temp-dir.ts'

async function sold(sales: object[]): Promise<Gateway> {
  const gateway = await startGateway()
  await sellTaxed(gateway)
  for (const sale of sales) await gateway.sell(sale)
  return gateway
}

async function diagnose(gateway: Gateway): Promise<Record<string, SaidCheck>> {
  const { status, body } = await gateway.admin<Diagnosis>('/admin/doctor')
  expect(status).toBe(200)
  expect(body.ok).toBe(body.checks.every((check) => check.status !== 'fail'))
  return Object.fromEntries(inEnglish(body.checks).map((check) => [check.name, check]))
}

/** The data of a gateway that has sold three times and is stopped. */
let soldDir: string
const ids: string[] = []
beforeAll(async () => {
  const gateway = await startSharedGateway()
  for (let sale = 0; sale < 3; sale++) ids.push((await gateway.sell()).id)
  await gateway.stop()
  soldDir = gateway.dataDir
})

/** A gateway on these data, after somebody has changed their database. */
async function changedBy(...statements: string[]): Promise<Gateway> {
  const dataDir = await tempDir()
  await cp(soldDir, dataDir, { recursive: true })
  const numbered = (text: string) => text.replace(/\$(\d)/g, (_, n) => `'${ids[Number(n) - 1]}'`)
  tamper(join(dataDir, 'fiskd.db'), 'PRAGMA foreign_keys = OFF', ...statements.map(numbered))
  return startEmptyGateway({ FISKD_DATA_DIR: dataDir })
}

/** What the doctor says of the three sales then. */
const after = async (...statements: string[]) => diagnose(await changedBy(...statements))

const failed = (checks: Record<string, SaidCheck>) =>
  Object.values(checks).flatMap(({ name, status }) => (status === 'fail' ? [name] : []))

test('a gateway that sells is well, whatever became of its sales', async () => {
  const gateway = await sold([{}, { payment_method: 'K' }])
  gateway.cis.misbehave('drop-before', 'drop-before')
  expect((await gateway.sell()).status).toBe('retrying')
  await backUp(gateway)
  const checks = await diagnose(gateway)
  expect(Object.values(checks).filter(({ status }) => status !== 'ok')).toEqual([])
  expect(checks.journal?.detail).toBe('3 sales of 1 premises, each sealed to the one before it')

  const ran = await fisk(['doctor'], { socket: gateway.socketPath })
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(ran.stdout).toMatch(/^ok {4}journal +3 sales of 1 premises/m)
  expect(ran.stdout).toContain('Everything is fine.')
  for (const line of ran.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
})

test('a changed total is found, and the technician is told where', async () => {
  const gateway = await changedBy("UPDATE invoices SET document = json_set(document, '$.total', '1.00') WHERE id = $2")
  const ran = await fisk(['doctor'], { socket: gateway.socketPath })
  expect(ran.code).toBe(1)
  expect(ran.stdout).toContain('fail  journal')
  const words = ran.stdout.replace(/\s+/g, ' ')
  expect(words).toContain('POSL1 (test), position 2')
  expect(words.replaceAll(' ', '')).toContain(`(${ids[1]})`)
  expect(words).toContain('Fix: something changed the database behind fiskd')
  const json = await fisk(['doctor', '--json'], { socket: gateway.socketPath })
  expect(json.code).toBe(1)
  expect(JSON.parse(json.stdout)).toMatchObject({ ok: false })
})

test.each([
  ['the first', 1, 'position 1: the entries 1 are missing'],
  ['one among others', 2, 'position 2: the entries 2 are missing'],
])('a deleted invoice is found: %s', async (_which, n, where) => {
  const checks = await after(`DELETE FROM messages WHERE invoice_id = $${n}`, `DELETE FROM invoices WHERE id = $${n}`)
  expect(failed(checks)).toEqual(['journal', 'numbers', 'sums', 'issued sales'])
  expect(checks.journal?.detail).toContain(where)
  expect(checks.numbers?.detail).toContain(`${n} should have come before`)
})

test('a deleted last invoice is found by the number that was given out', async () => {
  const checks = await after('DELETE FROM messages WHERE invoice_id = $3', 'DELETE FROM invoices WHERE id = $3')
  expect(failed(checks)).toEqual(['numbers', 'sums', 'issued sales'])
  expect(checks.numbers?.detail).toContain('goes on after 3, and the highest number that was issued or reserved is 2')
})

test('two invoices that changed places are found', async () => {
  const checks = await after(
    'UPDATE invoices SET journal_position = 9 WHERE id = $1',
    'UPDATE invoices SET journal_position = 1 WHERE id = $2',
    'UPDATE invoices SET journal_position = 2 WHERE id = $1',
  )
  expect(failed(checks)).toEqual(['journal', 'numbers'])
  expect(checks.journal?.detail).toContain(`position 1 (${ids[1]})`)
})

test('a lowered sequence is found', async () => {
  const checks = await after("UPDATE sequences SET highest = '1'")
  expect(failed(checks)).toEqual(['numbers'])
  expect(checks.numbers?.detail).toContain('goes on after 1, and the highest number that was issued or reserved is 3')
})

test('a column that says something else than its document is found, and so is a JIR that two sales have', async () => {
  const checks = await after(
    "UPDATE invoices SET number = '77' WHERE id = $2",
    'UPDATE invoices SET jir = (SELECT jir FROM invoices WHERE id = $1) WHERE id = $3',
  )
  expect(failed(checks)).toEqual(['records', 'JIRs'])
  expect(checks.records?.detail).toContain(ids[1])
})

test('numbers that a sale passed over by naming its own are a warning, until they are filled', async () => {
  const gateway = await sold([{}, { number: '5' }, {}])
  const before = await diagnose(gateway)
  expect(failed(before)).toEqual([])
  expect(before.numbers).toMatchObject({ status: 'warn', detail: expect.stringContaining('POSL1 (test) in') })
  expect(before.numbers?.detail).toContain(': 2 to 4')
  for (const number of ['2', '3', '4']) await gateway.sell({ number })
  expect((await diagnose(gateway)).numbers?.status).toBe('ok')
})

test('a supplied number that was known to be used before a restore is found', async () => {
  const gateway = await sold([{}, { number: '2' }])
  await gateway.stop()
  const range = "SELECT company_id, mode, premises_code, year, register, '2', '2', '2', 1 FROM sequences"
  tamper(join(gateway.dataDir, 'fiskd.db'), `INSERT INTO reserved_numbers ${range}`)
  await gateway.restart()
  const checks = await diagnose(gateway)
  expect(failed(checks)).toEqual(['numbers'])
  expect(checks.numbers?.detail).toContain('it was given out before a backup was restored')
})

test('registers that number by themselves are counted by themselves', async () => {
  const gateway = await startGateway()
  const attended = { sale_type: 'attended', operator_oib: OIBS[0], sequence_mark: 'N' }
  for (const register_mark of ['1', '2', '2', '1']) await gateway.sell({ ...attended, register_mark })
  const checks = await diagnose(gateway)
  expect(failed(checks)).toEqual([])
  expect(checks.numbers).toMatchObject({ status: 'ok', detail: 'no number is missing' })
})

test('sales go on during the examination, and do not look like faults', async () => {
  const gateway = await sold([{}])
  const examined = diagnose(gateway)
  const sales = await Promise.all([gateway.sell(), gateway.sell(), gateway.sell()])
  expect(failed(await examined)).toEqual([])
  expect(sales.map(({ status }) => status)).toEqual(['confirmed', 'confirmed', 'confirmed'])
})

test('an examination that cannot be made is a failure, and the others are made all the same', async () => {
  const doctor = createDoctor([
    { name: alike('broken'), run: async () => Promise.reject(new Error('no such table')) },
    { name: alike('well'), run: async () => [fine(alike('well'), alike('it is'))] },
    { name: alike('ill'), run: async () => [failure(alike('ill'), alike('it is'), alike('mend it'))] },
  ])
  const found = await doctor()
  const checks = inEnglish(found.checks)
  expect(found.ok).toBe(false)
  expect(checks.map(({ name, status }) => `${name} ${status}`)).toEqual(['broken fail', 'well ok', 'ill fail'])
  expect(checks[0]?.detail).toContain('no such table')
})
