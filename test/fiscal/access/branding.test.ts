import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createBranding } from '../../../src/fiscal/access/branding.ts'
import { clerkOf, freshStore } from '../../support/shop.ts'

test('name and logo are stored as they are, per tenant, and a logo stays until it is replaced or removed', async () => {
  const store = await freshStore()
  const { find, logo, change } = createBranding({ store, clock: { now: () => 1 } })
  const clerk = clerkOf()
  const admin = { ...clerk, scopes: [...clerk.scopes, 'certificates:write'] }
  expect(await find()).toEqual({ name: null, logoHash: null })

  const bytes = Buffer.from([0, 1, 2, 255])
  const hash = createHash('sha256').update(bytes).digest('hex')
  await change(admin, { name: 'Kava', logo: bytes })
  await change(admin, { name: 'Čaj', logo: undefined })
  expect(await find()).toEqual({ name: 'Čaj', logoHash: hash })
  expect(await logo(hash)).toEqual(bytes)
  expect(await find('another')).toEqual({ name: null, logoHash: null })

  await change(admin, { name: null, logo: null })
  expect(await find()).toEqual({ name: null, logoHash: null })
  expect(await logo(hash)).toBeUndefined()
  await expect(change(clerk, { name: 'x', logo: null })).rejects.toMatchObject({ code: 'insufficient_scope' })
  const limited = { ...admin, companyIds: [] }
  await expect(change(limited, { name: 'x', logo: null })).rejects.toMatchObject({ code: 'insufficient_scope' })
  await expect(change(admin, { name: 'x'.repeat(61), logo: null })).rejects.toMatchObject({ param: 'name' })
})
