import { expect, test } from 'vitest'
import { createJobs, JOB_BOUNDS } from '../../../src/fiscal/jobs/jobs.ts'
import { clerkOf, freshStore, openShop } from '../../support/shop.ts'

test('bulk work has bounds: so many rows, and so much of it under way', async () => {
  const store = await freshStore()
  const shop = await openShop(store)
  const { id } = await shop.sold()
  let made = 0
  const jobs = createJobs({ store, clock: { now: Date.now }, newUuid: () => `job-${++made}`, onCreated: () => {} })
  const create = (rows: number) =>
    jobs.create(clerkOf(), {
      ...{ kind: 'copies', parameters: {} },
      rows: Array.from({ length: rows }, () => ({ subjectId: id, input: null })),
    })
  const { rows, open } = JOB_BOUNDS
  await expect(create(rows.most + 1)).rejects.toMatchObject({ code: 'invalid_request', reason: 'job_too_large' })
  await create(rows.most)
  for (let i = 1; i < open.most; i++) await create(1)
  await expect(create(1)).rejects.toMatchObject({ code: 'invalid_request', reason: 'jobs_busy' })
})
