import { expect, test } from 'vitest'
import { UNWATCHED } from '../../../src/fiscal/clock/describe-clock.ts'
import { type Obstacle, serviceHealth } from '../../../src/fiscal/doctor/service-health.ts'
import { roomFor } from '../../../src/fiscal/sales/disk-space.ts'

/** The health of a service whose database and disk are like this; what throws is unknown. */
interface State {
  pingMs?: number | Error
  freeMb?: number | null
  trusted?: boolean
  ending?: number
  obstacle?: Obstacle['status']
}

function healthOf({ pingMs = 1, freeMb = 1000, trusted = true, ending = 0, obstacle }: State) {
  const ping = async () => {
    if (pingMs instanceof Error) throw pingMs
    return pingMs
  }
  const lookAtDisk = async () =>
    freeMb === null
      ? ({ freeBytes: null, room: 'everything' } as const)
      : { freeBytes: freeMb, room: roomFor(freeMb, 100) }
  return serviceHealth({
    ping,
    lookAtDisk,
    lookAtPrinters: () => ({ status: 'ok' as const, total: 0, ready: 0, detail: null }),
    lookAtClock: () => ({ ...UNWATCHED, trusted }),
    countEnding: async () => ending,
    findObstacles: async () => (obstacle ? [{ status: obstacle, reason: 'so' }] : []),
    report: () => {},
  })
}

test.each<[string, State, string]>([
  ['all is well', {}, 'ok'],
  ['the database is slow', { pingMs: 501 }, 'degraded'],
  ['the disk is nearly full', { freeMb: 99 }, 'degraded'],
  ['archives are no longer kept', { freeMb: 49 }, 'degraded'],
  ['sales are no longer taken', { freeMb: 9 }, 'down'],
  ['nobody knows how full the disk is', { freeMb: null }, 'degraded'],
  ['receipt numbers are nearly used up', { ending: 1 }, 'degraded'],
  ['this process cannot sell what others can', { obstacle: 'down' }, 'down'],
  ['something cannot be sold', { obstacle: 'degraded' }, 'degraded'],
  ['the clock may be wrong', { trusted: false }, 'degraded'],
  ['the clock may be wrong and the database does not answer', { trusted: false, pingMs: new Error('locked') }, 'down'],
  ['the database does not answer', { pingMs: new Error('locked') }, 'down'],
  ['the database does not answer and the disk is full', { pingMs: new Error('full'), freeMb: 0 }, 'down'],
])('when %s', async (_what, state, status) => {
  expect((await healthOf(state)).status).toBe(status)
})
