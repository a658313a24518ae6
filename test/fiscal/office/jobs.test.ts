import { expect, onTestFinished, test } from 'vitest'
import { LOCAL_GATEWAY } from '../../../src/fiscal/ports/model.ts'
import { DEFAULT_TENANT, openStore } from '../../../src/store/store.ts'
import { freshDatabase } from '../../support/database.ts'

const NOW = Date.UTC(2026, 10, 22)
const DAY_MS = 86_400_000

test('a job keeps its rows in order and the outcome of each, once, and is removed when it is old', async () => {
  const store = await openStore(await freshDatabase(), NOW)
  onTestFinished(() => store.close())
  const job = {
    ...{ id: 'job', tenantId: DEFAULT_TENANT, kind: 'status' as const, parameters: { status: 'suspended' } },
    ...{ createdBy: 'user', createdAt: NOW, endedAt: null, total: 1200 },
  }
  const gatewayOf = (i: number) => (i % 2 === 0 ? LOCAL_GATEWAY : 'kiosk')
  const rows = Array.from({ length: 1200 }, (_, i) => ({
    subjectId: `device ${i}`,
    label: `${i}`,
    input: null,
    was: null,
    gatewayId: gatewayOf(i),
  }))
  await store.transaction((tx) => tx.jobs.insert(job, rows))
  expect(await store.jobs.open()).toEqual([job])
  expect(await store.jobs.countOpen(DEFAULT_TENANT)).toBe(1)
  expect(await store.jobs.counts('job')).toEqual({ todo: 1200, waiting: 0, done: 0, unchanged: 0, refused: 0 })
  const [own] = await store.jobs.todo('job', ['kiosk'], 2)
  expect(own).toMatchObject({ position: 0, gatewayId: LOCAL_GATEWAY, state: 'todo', refusal: null })
  const refusal = { code: 'invalid_request', reason: null, about: null, message: 'no' }
  expect(await store.jobs.move({ jobId: 'job', position: 0 }, 'todo', { state: 'refused', refusal })).toBe(true)
  expect(await store.jobs.move({ jobId: 'job', position: 0 }, 'todo', { state: 'done' })).toBe(false)
  expect(await store.jobs.rows('job', ['refused'], 0, 9)).toMatchObject([{ position: 0, refusal }])
  expect((await store.jobs.rows('job', ['todo'], 1198, 9)).map(({ position }) => position)).toEqual([1198, 1199])
  await store.jobs.move({ jobId: 'job', position: 1 }, 'todo', { state: 'waiting', commandId: 'command' })
  expect(await store.jobs.answered('job', 9)).toEqual([])
  await store.jobs.end('job', NOW + DAY_MS)
  expect(await store.jobs.open()).toEqual([])
  await store.jobs.removeOne(NOW)
  expect(await store.jobs.list(DEFAULT_TENANT, 9)).toEqual([{ ...job, endedAt: NOW + DAY_MS }])
  await store.jobs.removeOne(NOW + 2 * DAY_MS)
  expect(await store.jobs.get('job')).toBeUndefined()
  expect(await store.jobs.rows('job', ['todo'], 0, 9)).toEqual([])
})
