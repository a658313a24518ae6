import { expect, test } from 'vitest'
import { checkJournals } from '../../src/fiscal/sales/journal-check.ts'
import { openStore } from '../../src/store/store.ts'
import { inDatabase } from '../support/database.ts'
import { type Gateway, startGateway } from '../support/gateway.ts'

const NINES = '9'.repeat(20)
const till = { sale_type: 'attended', operator_oib: '69435151530', sequence_mark: 'N' }

/** The numbers that so many sales get. */
async function numbers(gateway: Gateway, count: number, sale: object = {}): Promise<string[]> {
  const given: string[] = []
  for (let i = 0; i < count; i++) given.push((await gateway.sell(sale)).number)
  return given
}

/** What the journals say of the numbers once the daemon has stopped. */
async function found(gateway: Gateway) {
  await gateway.stop()
  const store = await openStore(gateway.database, 1)
  const { wrongNumbers, passedOver } = await checkJournals(store)
  const places = passedOver.flatMap((one) => one.numbers.map(({ first, last }) => `${first} to ${last}`))
  await store.close()
  return { wrong: wrongNumbers.map(({ why }) => why), passedOver: places }
}

test('a supplied number of twenty nines does not end a premises', async () => {
  const gateway = await startGateway()
  gateway.key = await gateway.createKey({ device_id: gateway.deviceId })
  expect(await numbers(gateway, 2)).toEqual(['1', '2'])
  const far = await gateway.sell({ number: NINES })
  expect(far).toMatchObject({ status: 'confirmed', number: NINES, jir: expect.any(String) })
  expect(gateway.cis.received.at(-1)).toMatchObject({ zkiMatches: true, errors: [] })
  expect(gateway.cis.received.at(-1)?.requestXml).toContain(`<tns:BrOznRac>${NINES}</tns:BrOznRac>`)
  expect(await numbers(gateway, 2)).toEqual(['3', '4'])
  expect(await found(gateway)).toEqual({ wrong: [], passedOver: [] })
})

test('nor does it when it is the first sale of the premises and of the year', async () => {
  const gateway = await startGateway()
  expect((await gateway.sell({ number: NINES })).number).toBe(NINES)
  expect(await numbers(gateway, 2)).toEqual(['1', '2'])
  expect(await found(gateway)).toEqual({ wrong: [], passedOver: [] })
})

test('a supplied number of twenty nines does not end a register, and another register does not know of it', async () => {
  const gateway = await startGateway()
  const at = (register_mark: string) => ({ ...till, register_mark })
  await gateway.sell({ ...at('1'), number: NINES })
  expect(await numbers(gateway, 2, at('1'))).toEqual(['1', '2'])
  expect((await gateway.sell({ ...at('2'), number: NINES })).number).toBe(NINES)
  expect(await numbers(gateway, 1, at('2'))).toEqual(['1'])
  expect(await found(gateway)).toEqual({ wrong: [], passedOver: [] })
})

test('when counting gets to a number that was supplied far ahead, it passes over it', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  for (const number of ['2000000', '2000001', '2000003']) await gateway.sell({ number })
  expect(await numbers(gateway, 1)).toEqual(['2'])
  for (const number of ['1000000', '1999998']) await gateway.sell({ number })
  expect(await numbers(gateway, 4)).toEqual(['1999999', '2000002', '2000004', '2000005'])
  expect(await found(gateway)).toEqual({ wrong: [], passedOver: ['3 to 999999', '1000001 to 1999997'] })
})

test('a run of hundreds of numbers supplied far ahead is passed over at once', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  const columns = 'company_id, mode, premises_code, year, register'
  const run = Array.from({ length: 250 }, (_, i) => 2_000_000 + i)
  const rows = run.map((number) => `SELECT ${columns}, '${number}', NULL, 1 FROM sequences`)
  await inDatabase(gateway, `INSERT INTO numbers_ahead ${rows.join(' UNION ALL ')}`)
  for (const number of ['1000000', '1999999']) await gateway.sell({ number })
  expect(await numbers(gateway, 2)).toEqual(['2000250', '2000251'])
})

test('the same number far ahead is a replay with its key, and a conflict with another', async () => {
  const gateway = await startGateway()
  const sale = gateway.sale({ number: NINES })
  const first = await gateway.post(sale, 'far')
  const again = await gateway.post(sale, 'far')
  expect(again).toMatchObject({ status: 200, text: first.text })
  const { status, body } = await gateway.post({ number: NINES })
  expect(status).toBe(409)
  expect(body.error).toMatchObject({ type: 'conflict', code: 'invoice_already_exists', param: 'number' })
  expect(await numbers(gateway, 1)).toEqual(['1'])
})

test('sales at the same moment get every number once while numbers far ahead are supplied', async () => {
  const gateway = await startGateway()
  const far = Array.from({ length: 4 }, (_, i) => ({ number: String(BigInt(NINES) - BigInt(i)) }))
  const sales = [...far, ...Array.from({ length: 12 }, () => ({}))]
  const sold = await Promise.all(sales.map((sale) => gateway.sell(sale)))
  const given = sold.map(({ number }) => number).filter((number) => number.length < 20)
  expect(given.map(Number).sort((one, other) => one - other)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1))
  expect(await found(gateway)).toEqual({ wrong: [], passedOver: [] })
})

test('a sale that is refused leaves no number ahead behind', async () => {
  const gateway = await startGateway()
  await gateway.sell()
  await gateway.sell({ number: NINES })
  await gateway.post({ number: NINES })
  expect(await inDatabase(gateway, 'SELECT number FROM numbers_ahead')).toEqual([{ number: NINES }])
})
