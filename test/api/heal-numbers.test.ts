import { expect, test } from 'vitest'
import { checkJournals } from '../../src/fiscal/sales/journal-check.ts'
import { openStore } from '../../src/store/store.ts'
import { inDatabase } from '../support/database.ts'
import { type Gateway, startGateway } from '../support/gateway.ts'

const NINES = '9'.repeat(20)
const nines = (less: number) => String(BigInt(NINES) - BigInt(less))
const till = { sale_type: 'attended', operator_oib: '69435151530', sequence_mark: 'N' }

/** Has a sequence stand where an older version left it, which followed whatever was supplied. */
async function poison(gateway: Gateway, sale: object = {}, where = 'true'): Promise<void> {
  await inDatabase(gateway, `UPDATE sequences SET highest = '${nines(3)}' WHERE ${where}`)
  expect((await gateway.sell(sale)).number).toBe(nines(2))
  expect((await gateway.sell({ ...sale, number: NINES })).number).toBe(NINES)
  expect((await gateway.post(sale)).body.error).toMatchObject({ code: 'hr.invalid_receipt_number', param: 'number' })
}

interface Healed {
  healed: Record<string, unknown>[]
  error: { param: string; message: string }
}

const heal = (gateway: Gateway, order: object = {}) =>
  gateway.admin<Healed>('/admin/numbers/heal', {
    body: { company_id: gateway.companyId, premises_code: 'POSL1', ...order },
  })

/** What the journals say of the numbers once the daemon has stopped. */
async function found(gateway: Gateway) {
  await gateway.stop()
  const store = await openStore(gateway.database, 1)
  const { wrongNumbers, passedOver } = await checkJournals(store)
  await store.close()
  return [...wrongNumbers.map(({ why }) => why), ...passedOver]
}

test('a sequence that followed twenty nines goes on where it was, and gives no number out twice', async () => {
  const gateway = await startGateway()
  for (const number of ['1', '2']) expect((await gateway.sell()).number).toBe(number)
  await poison(gateway)
  const { status, body } = await heal(gateway)
  expect(status).toBe(200)
  const year = expect.any(Number)
  expect(body).toEqual({
    dry_run: false,
    healed: [
      {
        ...{ company_id: gateway.companyId, mode: 'test', premises_code: 'POSL1', year, register: null },
        ...{ from: NINES, to: '2', ahead: 2, shortened: 0 },
      },
    ],
  })
  for (const number of ['3', '4']) expect((await gateway.sell()).number).toBe(number)
  for (const number of [NINES, nines(2)]) expect((await gateway.post({ number })).status).toBe(409)
  expect((await heal(gateway)).body.healed).toEqual([])
  const audited = await gateway.admin<{ data: { action: string; detail: object }[] }>('/admin/audit')
  const entries = audited.body.data.filter(({ action }) => action === 'numbers.healed')
  expect(entries).toMatchObject([{ detail: { premises_code: 'POSL1', from: NINES, to: '2', ahead: 2 } }])
  expect(await found(gateway)).toEqual([])
})

test('a sequence whose first number was too far ahead counts from 1 on', async () => {
  const gateway = await startGateway()
  // Only so that there is a row.
  await gateway.sell({ number: nines(7) })
  await poison(gateway)
  expect((await heal(gateway)).body.healed).toMatchObject([{ from: NINES, to: '0', ahead: 2 }])
  expect((await gateway.sell()).number).toBe('1')
  expect(await found(gateway)).toEqual([])
})

test('what would be done is told, and nothing is done, until it is asked for', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  await poison(gateway)
  const order = { dry_run: true }
  expect((await heal(gateway, order)).body).toMatchObject({ dry_run: true, healed: [{ from: NINES, to: '1' }] })
  expect((await gateway.post()).status).toBe(400)
  expect(await inDatabase(gateway, 'SELECT number FROM numbers_ahead')).toEqual([])
})

test('of several registers only the one goes back that was named, and each by itself', async () => {
  const gateway = await startGateway()
  const at = (register_mark: string) => ({ ...till, register_mark })
  for (const register of ['1', '2']) {
    await gateway.sell(at(register))
    await poison(gateway, at(register), `register = '${register}'`)
  }
  expect((await heal(gateway, { register: '2' })).body.healed).toMatchObject([{ register: '2', to: '1' }])
  expect((await gateway.sell(at('2'))).number).toBe('2')
  expect((await gateway.post(at('1'))).status).toBe(400)
  expect((await heal(gateway)).body.healed).toMatchObject([{ register: '1', to: '1' }])
  expect((await gateway.sell(at('1'))).number).toBe('2')
})

test('the operator may say the number to go on after: of one sequence, and only a lower one', async () => {
  const gateway = await startGateway()
  await gateway.sell({ number: '10' })
  await gateway.sell({ number: '500000' })
  const refused = async (order: object) => (await heal(gateway, order)).body.error
  expect(await refused({ after: '500000' })).toMatchObject({ param: 'after' })
  expect(await refused({ after: '01' })).toMatchObject({ param: 'after' })
  expect((await heal(gateway, { after: '8' })).body.healed).toMatchObject([{ from: '500000', to: '8', ahead: 2 }])
  expect([(await gateway.sell()).number, (await gateway.sell()).number]).toEqual(['9', '11'])
  await gateway.stop()
  await inDatabase(gateway, "UPDATE companies SET mode = 'live'")
  await gateway.restart()
  gateway.key = await gateway.createKey({ mode: 'live' })
  await gateway.sell()
  expect(await refused({ after: '5' })).toMatchObject({
    param: 'after',
    message: expect.stringMatching(/\d{4} live, \d{4} test$/),
  })
  expect((await heal(gateway, { after: '5', mode: 'test' })).status).toBe(200)
})

test('numbers that a server has put out of use are only given back when the operator says from where on', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  await gateway.stop()
  const store = await openStore(gateway.database, 1)
  const [known] = await store.numbering.sequences()
  if (!known) throw new Error('a sale was made')
  const { highest: _highest, ...sequence } = known
  await store.numbering.reserve({ ...sequence, first: '2', last: NINES, usedTo: NINES, reservedAt: 1 })
  await store.close()
  await gateway.restart()
  expect((await gateway.post()).status).toBe(400)
  expect((await heal(gateway)).body.error).toMatchObject({
    param: 'after',
    message: expect.stringContaining(`the numbers 2 to ${NINES} of POSL1 were put out of use`),
  })
  const healed = { from: NINES, to: '40', ahead: 1, shortened: 1 }
  expect((await heal(gateway, { after: '40' })).body.healed).toMatchObject([healed])
  expect((await gateway.sell()).number).toBe('41')
  for (const number of ['2', '40', NINES]) expect((await gateway.post({ number })).status).toBe(409)
  expect(await found(gateway)).toEqual([])
})

test('a sequence that is not there, and a company of another tenant, are not found', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  for (const order of [{ premises_code: 'posl1' }, { year: 2020 }, { mode: 'live' }, { register: '7' }]) {
    expect((await heal(gateway, order)).status).toBe(404)
  }
  expect((await heal(gateway, { company_id: gateway.deviceId })).status).toBe(404)
})

test('the list says how far each sequence has got, and what lies ahead of it', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  for (const number of [NINES, nines(1)]) await gateway.sell({ number })
  const { body } = await gateway.admin<{ data: object[] }>('/admin/numbers')
  expect(body.data).toMatchObject([
    {
      ...{ company: { oib: '02994650199' }, mode: 'test', premises_code: 'POSL1', register: null, highest: '1' },
      ...{ left: nines(1), ahead: { count: 2, latest: { invoice_id: expect.stringMatching(/^inv_/) } } },
    },
  ])
})

test('a gateway whose numbers are used up says that it cannot sell and what to do, until they are healed', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  const status = async (query = '') => (await gateway.admin<Status>(`/admin/status${query}`)).body
  const health = async () => (await gateway.v1('/health')).body as never as { status: string; checks: object }
  expect(await status()).toMatchObject({ can_sell: true, problems: [] })
  await poison(gateway)
  const problem = {
    ...{ subject: 'premises POSL1', problem: expect.stringMatching(/^the receipt numbers of \d{4} are used up/) },
    fix: 'fisk numbers heal 02994650199 POSL1',
  }
  expect(await status()).toMatchObject({ can_sell: false, problems: [problem], devices: { able_to_sell: 0 } })
  const elsewhere = await gateway.addDevice({ premises_code: 'POSL2', isu_number: '202' })
  expect(await status()).toMatchObject({ can_sell: true, problems: [problem], devices: { able_to_sell: 1 } })
  expect(await status(`?device_id=${gateway.deviceId}`)).toMatchObject({ can_sell: false, problems: [problem] })
  expect(await status(`?device_id=${elsewhere}`)).toMatchObject({ can_sell: true, problems: [] })
  expect(await health()).toMatchObject({ status: 'degraded', checks: { numbers: { status: 'degraded', ending: 1 } } })
  await heal(gateway)
  expect(await status()).toMatchObject({ can_sell: true, problems: [], devices: { able_to_sell: 2 } })
  expect(await health()).toMatchObject({ status: 'ok', checks: { numbers: { status: 'ok', ending: 0 } } })
})

interface Status {
  can_sell: boolean
  problems: object[]
  devices: object
}
