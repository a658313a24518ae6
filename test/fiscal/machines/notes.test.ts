import { expect, test } from 'vitest'
import { createNotes, readNotes } from '../../../src/fiscal/machines/notes.ts'
import { DEFAULT_TENANT } from '../../../src/store/store.ts'
import { clerkOf, freshStore, openShop } from '../../support/shop.ts'

const OFFICE = { ...clerkOf(), scopes: ['fleet:read', 'fleet:write'] }
const NONE = { note: '', contact: '' }

test('a note replaces the one before; lines stay, and other control characters become blanks', async () => {
  const store = await freshStore()
  const { deviceId } = await openShop(store)
  const notes = createNotes({ store, clock: { now: () => 1000 } })
  expect(await store.deviceNotes.of(DEFAULT_TENANT, deviceId)).toEqual(NONE)
  await notes.set(OFFICE, deviceId, { note: ' Ulaz B\r\nkod\u0007 portira ', contact: 'Ivo' }, NONE)
  const first = { note: 'Ulaz B\nkod  portira', contact: 'Ivo' }
  expect([...(await readNotes(store, DEFAULT_TENANT))]).toEqual([[deviceId, first]])
  await notes.set(OFFICE, deviceId, { note: '', contact: 'Ana' }, first)
  expect([...(await readNotes(store, DEFAULT_TENANT))]).toEqual([[deviceId, { note: '', contact: 'Ana' }]])
  await expect(notes.set(OFFICE, deviceId, NONE, first)).rejects.toMatchObject({ reason: 'changed_meanwhile' })
  await expect(notes.set(clerkOf(), deviceId, NONE, first)).rejects.toMatchObject({ code: 'insufficient_scope' })
  const other = { ...OFFICE, companyIds: ['another'] }
  await expect(notes.set(other, deviceId, NONE, first)).rejects.toMatchObject({ status: 404 })
})
