import { expect, test } from 'vitest'
import { startOfDate } from '../../../src/domain/working-days.ts'
import { createMoney, type MoneyDeps } from '../../../src/fiscal/office/money.ts'
import { OIBS } from '../../support/oibs.ts'
import { clerkOf, freshStore, openShop, type Shop } from '../../support/shop.ts'

const at = (year: number, month: number, date: number) => startOfDate(year, month, date) + 12 * 3_600_000
type Machines = Awaited<ReturnType<MoneyDeps['machines']['matching']>>

/** A company with two machines in Zagreb, one in Rijeka and one whose address names no town, and another one in Zagreb. */
async function startFleet(now: number) {
  const store = await freshStore()
  const open = (label: string, premisesCode: string, oib: string) =>
    openShop(store, { label, premisesCode, oib, isuNumber: premisesCode })
  const shops = {
    zagreb: await open('one', 'ZG1', OIBS[0]),
    station: await open('two', 'ZG2', OIBS[0]),
    rijeka: await open('three', 'RI1', OIBS[0]),
    somewhere: await open('four', 'XX1', OIBS[0]),
    other: await open('five', 'ZG3', OIBS[1]),
  }
  const machine = ({ deviceId }: Shop, premisesAddress: string | null, tags: string[]) =>
    ({ device: { id: deviceId, premisesAddress }, tags }) as unknown as Machines[0]
  const listed = [
    machine(shops.zagreb, 'Ilica 1, Zagreb', ['Kava', 'Škole']),
    machine(shops.station, 'Trg 2, 10000 Zagreb', ['Kava']),
    machine(shops.rijeka, 'Korzo 3, Rijeka', []),
    machine(shops.somewhere, null, []),
    machine(shops.other, 'Ilica 9, Zagreb', []),
  ]
  const money = createMoney({ store, clock: { now: () => now }, machines: { matching: async () => listed } })
  return { store, shops, money }
}

const MARCH = { mode: 'test', starts: '2026-03-01', by: 'town' } as const

test('a month has the money of each company, of its towns and of all, by cash and card, refunds subtracted', async () => {
  const { shops, money } = await startFleet(at(2026, 4, 9))
  await shops.zagreb.sold({ occurredAt: at(2026, 3, 1) }, { total: '10.00' })
  await shops.station.sold({ occurredAt: at(2026, 3, 31) }, { total: '2.50', paymentMethod: 'K' })
  await shops.station.sold({ occurredAt: at(2026, 3, 31) }, { total: '-1.00', paymentMethod: 'K' })
  await shops.rijeka.sold({ occurredAt: at(2026, 3, 5) }, { total: '4.00', paymentMethod: 'O' })
  await shops.somewhere.sold({ occurredAt: at(2026, 3, 6) }, { total: '0.50' })
  await shops.other.sold({ occurredAt: at(2026, 3, 7) }, { total: '7.00' })
  await shops.other.sold({ occurredAt: at(2026, 2, 28) }, { total: '70.00' })
  const found = await money(clerkOf(), MARCH)
  expect(found).toMatchObject({ invoices: 6, cash: 1750n, card: 150n, total: 2300n, until: null })
  const [first] = found.companies.filter(({ id }) => id === shops.zagreb.companyId)
  expect(first).toMatchObject({ invoices: 5, cash: 1050n, card: 150n, total: 1600n })
  expect(first?.parts.map(({ name, invoices, total }) => [name, invoices, total])).toEqual([
    ['Rijeka', 1, 400n],
    ['Zagreb', 3, 1150n],
    ['', 1, 50n],
  ])
  const limited = await money({ ...clerkOf(), companyIds: [shops.other.companyId] }, MARCH)
  expect(limited).toMatchObject({
    total: 700n,
    companies: [{ id: shops.other.companyId, parts: [{ name: 'Zagreb' }] }],
  })
})

test('a machine of several groups counts in each of them, and once in its company', async () => {
  const { shops, money } = await startFleet(at(2026, 4, 9))
  await shops.zagreb.sold({ occurredAt: at(2026, 3, 1) }, { total: '10.00' })
  await shops.station.sold({ occurredAt: at(2026, 3, 1) }, { total: '5.00' })
  await shops.rijeka.sold({ occurredAt: at(2026, 3, 1) }, { total: '1.00' })
  const [company] = (await money(clerkOf(), { ...MARCH, by: 'group' })).companies
  expect(company?.parts.map(({ name, total }) => [name, total])).toEqual([
    ['Kava', 1500n],
    ['Škole', 1000n],
    ['', 100n],
  ])
  expect(company?.total).toBe(1600n)
})

test('a month that is over is compared as a whole with the month before and the same month of the year before', async () => {
  const { shops, money } = await startFleet(at(2026, 4, 9))
  await shops.zagreb.sold({ occurredAt: at(2026, 3, 31) }, { total: '10.00' })
  await shops.zagreb.sold({ occurredAt: at(2026, 2, 28) }, { total: '8.00' })
  await shops.rijeka.sold({ occurredAt: at(2025, 3, 31) }, { total: '5.00' })
  await shops.rijeka.sold({ occurredAt: at(2025, 4, 1) }, { total: '99.00' })
  const found = await money(clerkOf(), MARCH)
  expect(found).toMatchObject({ until: null, compared: 1000n, monthBefore: 800n, yearBefore: 500n })
  // Who has sold only then has a row, too.
  expect(found.companies[0]?.parts.map(({ name, total, yearBefore }) => [name, total, yearBefore])).toEqual([
    ['Rijeka', 0n, 500n],
    ['Zagreb', 1000n, 0n],
  ])
})

test.each([
  [10, { date: 9 }, [900n, 90n, 9n]],
  [31, { date: 30 }, [1000n, 100n, 10n]],
  [1, { date: 28, month: 2 }, [0n, 0n, 0n]],
] as const)(
  'on day %i of a month its whole days are compared with the same days, and the money is of all of it',
  async (date, until, compared) => {
    const { shops, money } = await startFleet(at(2026, 3, date))
    for (const [year, month, total, later] of [
      [2026, 3, '9.00', '1.00'],
      [2026, 2, '0.90', '0.10'],
      [2025, 3, '0.09', '0.01'],
    ] as const) {
      await shops.zagreb.sold({ occurredAt: at(year, month, 9) }, { total })
      await shops.zagreb.sold({ occurredAt: at(year, month, 10) }, { total: later })
    }
    const found = await money(clerkOf(), MARCH)
    expect(found.total).toBe(1000n)
    expect(found.until).toMatchObject(until)
    expect([found.compared, found.monthBefore, found.yearBefore]).toEqual(compared)
  },
)
