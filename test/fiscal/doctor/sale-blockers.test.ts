import { expect, onTestFinished, test } from 'vitest'
import { createChainValidator } from '../../../src/certificates/chain.ts'
import { findBlockers } from '../../../src/fiscal/doctor/blockers/sale-blockers.ts'
import { roomFor } from '../../../src/fiscal/sales/disk-space.ts'
import { openStore } from '../../../src/store/store.ts'
import { forBoth } from '../../support/clocks.ts'
import { freshDatabase } from '../../support/database.ts'

/** What an empty gateway stumbles over with so many megabytes left of a floor of 100. */
async function blockers(freeMb: number) {
  const store = await openStore(await freshDatabase(), Date.now())
  onTestFinished(() => store.close())
  const present = { now: 0, earliest: 0, latest: 0 }
  const { problems } = await findBlockers({
    store,
    identities: { current: () => Promise.reject(new Error('nobody signs here')) },
    chains: createChainValidator(),
    trust: { certificates: () => [], given: () => null },
    clock: forBoth({ now: () => 0, present: () => present, proven: () => 0 }),
    lookAtDisk: async () => ({ freeBytes: freeMb * 1e6, room: roomFor(freeMb * 1e6, 100e6) }),
    issued: { lost: () => [] },
  })
  return problems.map(({ subject }) => subject)
}

test('a disk below a tenth of its floor takes no sale, and comes first; one that is only short stops nothing', async () => {
  expect(await blockers(9)).toEqual(['disk', 'company', 'device'])
  expect(await blockers(11)).toEqual(['company', 'device'])
})
