import { expect, onTestFinished, test } from 'vitest'
import { type AdminStub, startAdminStub } from '../support/admin-stub.ts'
import { fisk } from '../support/fisk.ts'

const OIB = '02994650199'
const NINES = '9'.repeat(20)
const PLACE = { mode: 'live', premises_code: 'POSL1', year: 2026, register: null }
const HEALED = { company_id: 'c', ...PLACE, from: NINES, to: '41', ahead: 2, shortened: 0 }

async function stubbed(): Promise<AdminStub> {
  const stub = await startAdminStub()
  onTestFinished(() => stub.close())
  return stub
}

test('fisk numbers list shows how far each premises has got, what lies ahead and what is nearly used up', async () => {
  const stub = await stubbed()
  const company = { id: 'c', name: 'Kava\u001b[31m d.o.o.', oib: OIB }
  const latest = { number: NINES, invoice_id: 'inv_1', noted_at: '2026-03-04T09:00:00.000Z' }
  const list = {
    ...{ object: 'list', has_more: false, next_cursor: null },
    data: [
      { company, ...PLACE, highest: '41', left: '99999999999999999958', ahead: { count: 3, latest } },
      { company, ...PLACE, register: '7', highest: NINES, left: '0', ahead: null },
      { company, ...PLACE, premises_code: 'POSL2', highest: null, left: NINES, ahead: null },
    ],
  }
  stub.answer('GET /admin/numbers', { status: 200, body: list })
  const { code, stdout } = await fisk(['numbers', 'list'], stub)
  expect(code).toBe(0)
  expect(stdout).toMatch(/POSL1 +2026 +live +41\n/)
  expect(stdout).toMatch(/POSL2 +2026 +live +none\n/)
  expect(stdout).toContain(`POSL1 does not follow ${NINES} of inv_1 and 2 more: too far ahead.`)
  expect(stdout).toContain(`POSL1, 7 has used up its numbers: fisk numbers heal ${OIB} POSL1\n`)
  expect(stdout).not.toContain('\u001b')
  expect(JSON.parse((await fisk(['numbers', 'list', '--json'], stub)).stdout)).toEqual(list)
})

test('fisk numbers heal looks first, and does what it was asked for', async () => {
  const stub = await stubbed()
  stub.answer('POST /admin/numbers/heal', ({ body }) => ({
    status: 200,
    body: { dry_run: body?.dry_run === true, healed: [HEALED] },
  }))
  const options = ['--mode', 'live', '--year', '2026', '--after', '41', '--yes']
  const { code, stdout } = await fisk(['numbers', 'heal', OIB, 'POSL1', ...options], stub)
  expect(code).toBe(0)
  expect(stdout.replace(/\s+/g, ' ')).toBe(
    `POSL1, 2026 live: goes on after 41 instead of ${NINES}. Numbers beyond that are passed over: 2. `,
  )
  const asked = { premises_code: 'POSL1', mode: 'live', year: 2026, after: '41' }
  expect(stub.seen.slice(-2).map(({ body }) => body)).toMatchObject([{ ...asked, dry_run: true }, asked])
  expect(stub.seen.at(-1)?.body).not.toHaveProperty('dry_run')
})

test('where every sequence stands as it should, fisk numbers heal does nothing and says so', async () => {
  const stub = await stubbed()
  stub.answer('POST /admin/numbers/heal', { status: 200, body: { dry_run: true, healed: [] } })
  const { code, stdout } = await fisk(['numbers', 'heal', OIB, 'POSL1', '--yes'], stub)
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: 'Nothing to do: every sequence there goes on where it should.\n',
  })
  expect(stub.seen.filter(({ path }) => path === '/admin/numbers/heal')).toHaveLength(1)
})

test('a number or a year that is none is wrong use, and nothing is asked', async () => {
  const stub = await stubbed()
  for (const options of [
    ['--after', '041'],
    ['--after', `1${NINES}`],
    ['--year', '26'],
  ]) {
    expect((await fisk(['numbers', 'heal', OIB, 'POSL1', '--yes', ...options], stub)).code).toBe(2)
  }
  expect(stub.seen).toEqual([])
})
