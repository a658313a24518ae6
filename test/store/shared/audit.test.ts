import { expect, test } from 'vitest'
import { audit } from '../../../src/fiscal/access/audit-log.ts'
import type { AuditFilter } from '../../../src/fiscal/ports/rows/access.ts'
import { DEFAULT_TENANT } from '../../../src/store/store.ts'
import { freshStore } from '../../support/shop.ts'

test('the audit log is narrowed down to a person, kinds of actions, what they are about, a time, and without rows of bulk jobs', async () => {
  const store = await freshStore()
  const write = (
    id: string,
    at: number,
    action: 'device.added' | 'device.changed' | 'user.added',
    about: string,
    jobId?: string,
  ) =>
    audit(store, { id, tenantId: DEFAULT_TENANT, ...(jobId && { jobId }) }, at, action, {
      id: about,
      company_id: `c-${about}`,
    })
  await write('ana', 1000, 'device.added', 'd1')
  await write('ana', 2000, 'device.changed', 'd2', 'j1')
  await write('ivo', 3000, 'device.changed', 'd1')
  await write('ivo', 4000, 'user.added', 'u1')
  const found = async (filter: AuditFilter) =>
    (await store.audit.list(DEFAULT_TENANT, filter, { limit: 9 })).map(({ at }) => at / 1000)
  expect(await found({})).toEqual([4, 3, 2, 1])
  expect(await found({ actor: 'ana' })).toEqual([2, 1])
  expect(await found({ areas: ['device', 'company'] })).toEqual([3, 2, 1])
  expect(await found({ areas: [] })).toEqual([])
  expect(await found({ about: [['d1', 'd9']] })).toEqual([3, 1])
  expect(await found({ about: [['d1'], ['c-d2']] })).toEqual([])
  expect(await found({ about: [['j1']] })).toEqual([2])
  expect(await found({ from: 2000, to: 4000 })).toEqual([3, 2])
  expect(await found({ withoutJobs: true })).toEqual([4, 3, 1])
})
