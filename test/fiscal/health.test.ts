import { expect, test } from 'vitest'
import { serviceHealth } from '../../src/fiscal/health.ts'

const GIGABYTE = 1024 ** 3

/** The health of a service whose database and disk are like this; what throws is unknown. */
function healthOf({ pingMs = 1, freeBytes = GIGABYTE }: { pingMs?: number | Error; freeBytes?: number | Error }) {
  const answer = async (value: number | Error) => {
    if (value instanceof Error) throw value
    return value
  }
  return serviceHealth({ ping: () => answer(pingMs), freeBytes: () => answer(freeBytes), report: () => {} })
}

test.each([
  ['all is well', {}, 'ok'],
  ['the database is slow', { pingMs: 501 }, 'degraded'],
  ['the disk is nearly full', { freeBytes: 99 * 1024 * 1024 }, 'degraded'],
  ['nobody knows how full the disk is', { freeBytes: new Error('EIO') }, 'degraded'],
  ['the database does not answer', { pingMs: new Error('locked') }, 'down'],
  ['the database does not answer and the disk is full', { pingMs: new Error('full'), freeBytes: 0 }, 'down'],
])('when %s', async (_what, state, status) => {
  expect((await healthOf(state)).status).toBe(status)
})
