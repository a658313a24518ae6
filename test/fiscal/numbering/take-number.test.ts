import { expect, onTestFinished, test } from 'vitest'
import { LOCAL_GATEWAY } from '../../../src/fiscal/ports/model.ts'
import { DEFAULT_TENANT, openStore } from '../../../src/store/store.ts'
import { freshDatabase } from '../../support/database.ts'
import { takeAsSale } from '../../support/numbers.ts'

async function storeWithCompany() {
  const store = await openStore(await freshDatabase(), 1)
  onTestFinished(() => store.close())
  await store.companies.insert({
    id: 'company',
    gatewayId: LOCAL_GATEWAY,
    tenantId: DEFAULT_TENANT,
    name: 'Samoposluga d.o.o.',
    oib: '02994650199',
    vatRegistered: true,
    address: {},
    fiscalConfig: {},
    mode: 'test',
    status: 'active',
    createdAt: 1,
  })
  return store
}

const sequence = { companyId: 'company', mode: 'live', premisesCode: 'POSL1', year: 2026, register: '' } as const
const taker = { invoiceId: 'inv_1', now: 1 }

test('test receipts use up no live receipt numbers', async () => {
  const store = await storeWithCompany()
  const take = (mode: 'test' | 'live') => store.transaction((tx) => takeAsSale(tx, { ...sequence, mode }, null, taker))
  const taken = [await take('test'), await take('test'), await take('live'), await take('test'), await take('live')]
  expect(taken).toEqual(['1', '2', '1', '3', '2'])
})

test('a number whose transaction fails is given out again', async () => {
  const store = await storeWithCompany()
  const failing = store.transaction(async (tx) => {
    await takeAsSale(tx, sequence, null, taker)
    throw new Error('the invoice could not be stored')
  })
  await expect(failing).rejects.toThrow()
  expect(await store.transaction((tx) => takeAsSale(tx, sequence, null, taker))).toBe('1')
})

test('a supplied number is refused only where reserved numbers are known to have been given out', async () => {
  const store = await storeWithCompany()
  const known = { first: '10', last: '200', usedTo: '100', reservedAt: 1 }
  await store.numbering.reserve({ ...sequence, ...known })
  const take = (number: string | null) => store.transaction((tx) => takeAsSale(tx, sequence, number, taker))
  for (const number of ['10', '99', '100']) {
    await expect(take(number)).rejects.toMatchObject({ code: 'invoice_already_exists', param: 'number' })
  }
  for (const number of ['9', '101', '1000']) expect(await take(number)).toBe(number)
  expect(await take(null)).toBe('1001')
})
