import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Principal } from '../../../src/fiscal/access/principal.ts'
import { recipientsOf } from '../../../src/fiscal/alerts/recipients.ts'
import { createExports } from '../../../src/fiscal/office/export.ts'
import { salesFigures } from '../../../src/fiscal/office/overview.ts'
import { createSearch } from '../../../src/fiscal/office/search.ts'
import { findCompany, listCompanies } from '../../../src/fiscal/registry/companies.ts'
import { findDevice, listDevices } from '../../../src/fiscal/registry/devices.ts'
import { failuresOf } from '../../../src/fiscal/sales/failure-causes.ts'
import { findInvoice, listInvoices } from '../../../src/fiscal/sales/read-invoices.ts'
import { userRow } from '../../support/people.ts'
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
  expect(await failuresOf(store, limited)).toMatchObject([{ ours: 1 }])
  const search = createSearch({ store, clock: { now: () => 1 }, expireOverdue: async () => {} })
  const found = async (text: string) => (await search.find(limited, text)).items.map(({ id }) => id)
  expect(await found('1')).toEqual([mine.id])
  expect(await found(other.document.zki)).not.toContain(other.id)
  expect(await found(other.id)).toEqual([])
})

test('an export has only sales of the companies that somebody is limited to, in the order of time', async () => {
  const { store, ours, theirs, limited } = await twoCompanies()
  await ours.sold({ occurredAt: NOW - 10_000 }, { number: '2' })
  const wanted = { mode: 'test', from: NOW - 100_000, to: NOW } as const
  const exported = async (by: Principal) => {
    const names: string[] = []
    for await (const rows of createExports({ store }).invoices(by, wanted)) {
      names.push(...rows.map(({ invoice }) => invoice.companyId))
    }
    return names
  }
  expect(await exported(limited)).toEqual([ours.companyId, ours.companyId])
  const both = { ...limited, companyIds: [theirs.companyId, ours.companyId] }
  expect(await exported(both)).toEqual([ours.companyId, theirs.companyId, ours.companyId])
})

test('an alert is shown and mailed to those who may see its company, and one about a machine to those without a limit', async () => {
  const { store, ours, theirs, limited } = await twoCompanies()
  const raise = (subject: string, detail: object) =>
    store.alerts.raise({
      ...{ id: randomUUID(), tenantId: limited.tenantId, kind: 'isu_mismatch', subject, raisedAt: NOW },
      detail: { ...detail },
    })
  await raise('mine', { device_id: ours.deviceId })
  await raise('theirs', { company_id: theirs.companyId })
  await raise('machine', {})
  const { tenantId, companyIds } = limited
  const shown = await store.alerts.list({ tenantId, companyIds }, { limit: 10 })
  expect(shown.map(({ subject, companyId }) => [subject, companyId])).toEqual([['mine', ours.companyId]])
  expect(await store.alerts.standing(limited)).toHaveLength(1)
  expect(await store.alerts.standing(clerkOf())).toHaveLength(3)

  const [mine, their] = [[ours.companyId], [theirs.companyId]]
  await store.users.insert(userRow({ name: 'all' }))
  await store.users.insert(userRow({ name: 'limited', companyIds: mine }))
  await store.users.insert(userRow({ name: 'chosen', mailCompanyIds: their }))
  await store.users.insert(userRow({ name: 'moved', companyIds: mine, mailCompanyIds: their }))
  const told = new Map<string, string[]>()
  for (const recipient of await recipientsOf(store, tenantId, { addresses: ['boss@example.hr'], language: 'hr' })) {
    const alerts = await store.mails.untold(recipient, 10)
    told.set(recipient.address.split('@')[0] ?? '', alerts.map(({ subject }) => subject).sort())
  }
  expect(Object.fromEntries(told)).toEqual({
    boss: ['machine', 'mine', 'theirs'],
    all: ['machine', 'mine', 'theirs'],
    limited: ['mine'],
    chosen: ['theirs'],
    moved: [],
  })
})
