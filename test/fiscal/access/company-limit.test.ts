import { expect, test } from 'vitest'
import type { Principal } from '../../../src/fiscal/access/principal.ts'
import { salesFigures } from '../../../src/fiscal/office/sales-figures.ts'
import { createSearch } from '../../../src/fiscal/office/search.ts'
import { findCompany, listCompanies } from '../../../src/fiscal/registry/companies.ts'
import { findDevice, listDevices } from '../../../src/fiscal/registry/devices.ts'
import { failuresOf } from '../../../src/fiscal/sales/failure-causes.ts'
import { findInvoice, listInvoices } from '../../../src/fiscal/sales/read-invoices.ts'
import { clerkOf, freshStore, openShop } from '../../support/shop.ts'

const NOW = Date.UTC(2026, 8, 23, 12, 30)
const [OURS, THEIRS] = ['12345678903', '98765432106']
const clock = { now: () => NOW }

/** Two companies with sales, and somebody who is limited to the first of them. */
async function twoCompanies() {
  const store = await freshStore()
  const ours = await openShop(store, { oib: OURS })
  const theirs = await openShop(store, { oib: THEIRS, isuNumber: '102' })
  const sale = {
    occurredAt: NOW - 60_000,
    deadlineAt: NOW + 60_000,
    status: 'failed',
    jir: null,
    confirmedAt: null,
  } as const
  const [mine, other] = [await ours.sold(sale), await theirs.sold({ ...sale, occurredAt: NOW - 30_000 })]
  const limited: Principal = { ...clerkOf(), companyIds: [ours.companyId] }
  return { store, ours, theirs, mine, other, limited }
}

test('lists have only the rows of the companies that somebody is limited to', async () => {
  const { store, ours, theirs, mine, limited } = await twoCompanies()
  const slice = { limit: 10 }
  const ids = async (by: Principal) => ({
    companies: (await listCompanies({ store, clock }, by, { allTenants: false }, slice)).items.map(({ id }) => id),
    devices: (await listDevices({ store, clock }, by, { allTenants: false }, slice)).items.map(({ id }) => id),
    invoices: (await listInvoices(store, by, {}, slice)).items.map(({ id }) => id),
  })
  expect(await ids(limited)).toEqual({ companies: [ours.companyId], devices: [ours.deviceId], invoices: [mine.id] })
  const everything = await ids({ ...limited, companyIds: [theirs.companyId, ours.companyId] })
  expect(everything).toEqual(await ids(clerkOf()))
  expect(everything.invoices).toHaveLength(2)
  expect(await ids({ ...limited, companyIds: [] })).toEqual({ companies: [], devices: [], invoices: [] })
  for (const filter of [{ companyId: theirs.companyId }, { deviceId: theirs.deviceId }]) {
    expect((await listInvoices(store, limited, filter, slice)).items).toEqual([])
  }
})

test('the rows of another company are as if they did not exist', async () => {
  const { store, theirs, other, limited } = await twoCompanies()
  const none = { status: 404 }
  await expect(findCompany(store, limited, theirs.companyId)).rejects.toMatchObject(none)
  await expect(findDevice(store, limited, theirs.deviceId)).rejects.toMatchObject(none)
  await expect(findInvoice(store, limited, other.id)).rejects.toMatchObject(none)
})

test('sums, causes and searches do not count what is of another company', async () => {
  const { store, mine, other, limited } = await twoCompanies()
  const { tenantId, companyIds } = limited
  const figures = await salesFigures(store.figures, { tenantId, mode: 'test', companyIds }, NOW)
  expect(figures).toMatchObject({ failed: 1, ages: { young: 1 } })
  expect(figures.hours.reduce((sum, { sold }) => sum + sold, 0)).toBe(1)
  expect(await store.figures.devices(limited)).toMatchObject({ total: 1 })
  expect(await failuresOf(store, limited)).toMatchObject({ total: 1 })
  const search = createSearch({ store, clock: { now: () => 1 }, settle: async () => {} })
  const found = async (text: string) => (await search.find(limited, text)).items.map(({ id }) => id)
  expect(await found('1')).toEqual([mine.id])
  expect(await found(other.document.zki)).not.toContain(other.id)
  expect(await found(other.id)).toEqual([])
})
