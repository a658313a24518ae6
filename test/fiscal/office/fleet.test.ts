import { expect, test } from 'vitest'
import type { Principal } from '../../../src/fiscal/access/principal.ts'
import { createFleet } from '../../../src/fiscal/office/fleet.ts'
import { addDevice, changeDevice } from '../../../src/fiscal/registry/devices.ts'
import { freshStore, openShop } from '../../support/shop.ts'

const clerk: Principal = {
  ...{ id: 'clerk', tenantId: 'default', mode: null, deviceId: null, companyIds: null, isPlatformAdmin: false },
  scopes: ['fleet:read', 'fleet:write'],
}

async function openFleet() {
  const store = await freshStore()
  let ids = 0
  const clock = { now: () => 1000 + ids }
  const deps = { store, clock, newUuid: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}` }
  // Nobody goes live here.
  const chains = { validate: async () => ({ trusted: false, reason: 'nobody' }) as const }
  const fleet = createFleet({ ...deps, chains, trust: { certificates: () => [], revokedAt: () => null } as never })
  const { deviceId, companyId } = await openShop(store)
  const add = (label: string, premisesAddress: string | null = null, isuNumber: string | null = null) =>
    addDevice(deps, clerk, { companyId, premisesCode: 'FIND', premisesAddress, label, isuNumber, deviceConfig: {} })
  const find = async (text: string) => {
    const page = await fleet.listDevices(clerk, { text, allTenants: false }, { limit: 50 })
    return page.items.map(({ device: { label } }) => label)
  }
  return { store, deps, fleet, deviceId, companyId, add, find }
}

test('devices are found by a part of name or address, whatever its case, and by whole codes and numbers', async () => {
  const { add, find } = await openFleet()
  await add('Kavomat 100%', 'Ilica 1, Zagreb')
  await add('Grickalice_5', null, '660011')
  expect(await find('kavo')).toEqual(['Kavomat 100%'])
  expect(await find('ILICA')).toEqual(['Kavomat 100%'])
  expect(await find('660011')).toEqual(['Grickalice_5'])
  expect(await find('6600')).toEqual([])
  expect(await find('FIND')).toEqual(['Kavomat 100%', 'Grickalice_5'])
})

test('signs that mean something to the database are letters to whoever searches', async () => {
  const { add, find } = await openFleet()
  await add('Kavomat 100%')
  await add('Grickalice_5')
  await add('back\\slash')
  expect(await find('100%')).toEqual(['Kavomat 100%'])
  expect(await find('_')).toEqual(['Grickalice_5'])
  expect(await find('\\')).toEqual(['back\\slash'])
  expect(await find("'; DROP TABLE devices; --")).toEqual([])
  expect(await find('\u0000')).toEqual([])
})

test('devices of a company are counted by what they are', async () => {
  const { deps, fleet, companyId, add } = await openFleet()
  await add('one', null, '660012')
  const two = await add('two')
  await changeDevice(deps, clerk, two.id, { status: 'archived' })
  const { devices, gateway, sellers } = await fleet.findCompany(clerk, companyId)
  expect({ gateway, sellers }).toEqual({ gateway: null, sellers: [] })
  expect(devices).toContainEqual({ gatewayId: '', status: 'archived', isuStatus: 'pending', count: 1 })
  expect(devices).toContainEqual({ gatewayId: '', status: 'active', isuStatus: 'assigned', count: 2 })
})

test('a change is refused when the device is no longer as its author saw it, and nothing is written', async () => {
  const { store, deps, add } = await openFleet()
  const device = await add('mine')
  await changeDevice(deps, clerk, device.id, { label: 'theirs' })
  const stale = changeDevice(deps, clerk, device.id, { label: 'mine again' }, undefined, { label: 'mine' })
  await expect(stale).rejects.toMatchObject({ status: 409, reason: 'changed_meanwhile' })
  expect((await store.devices.get(device.id))?.label).toBe('theirs')
})

test('what belongs to somebody else is not there', async () => {
  const { fleet, deviceId, companyId } = await openFleet()
  const stranger = { ...clerk, tenantId: 'other' }
  await expect(fleet.findDevice(stranger, deviceId)).rejects.toMatchObject({ status: 404 })
  await expect(fleet.findCompany(stranger, companyId)).rejects.toMatchObject({ status: 404 })
  expect(await fleet.choices(stranger)).toEqual([])
})
