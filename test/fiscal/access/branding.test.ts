import { expect, test } from 'vitest'
import { createBranding } from '../../../src/fiscal/access/branding.ts'
import { clerkOf, freshStore } from '../../support/shop.ts'

test('a name is stored as it is, per tenant, until it is replaced or removed', async () => {
  const store = await freshStore()
  const { find, change } = createBranding({ store, clock: { now: () => 1 } })
  const clerk = clerkOf()
  const admin = { ...clerk, scopes: [...clerk.scopes, 'certificates:write'] }
  expect(await find()).toBeNull()

  await change(admin, 'Kava')
  await change(admin, 'Čaj')
  expect(await find()).toBe('Čaj')
  expect(await find('another')).toBeNull()

  await change(admin, null)
  expect(await find()).toBeNull()
  await expect(change(clerk, 'x')).rejects.toMatchObject({ code: 'insufficient_scope' })
  await expect(change({ ...admin, companyIds: [] }, 'x')).rejects.toMatchObject({ code: 'insufficient_scope' })
  await expect(change(admin, 'x'.repeat(61))).rejects.toMatchObject({ param: 'name' })
})
