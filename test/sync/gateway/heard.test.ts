import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Enrolment } from '../../../src/fiscal/sync-port.ts'
import { DEFAULT_TENANT, openStore } from '../../../src/store/store.ts'
import { greet } from '../../../src/sync/gateway/greet.ts'
import { tempDir } from '../../support/temp-dir.ts'

const ENROLLED: Enrolment = {
  ...{ tenantId: DEFAULT_TENANT, url: 'https://fisk.example.com', caPem: null, gatewayId: 'g', name: 'kiosk' },
  ...{ sealedCredential: Buffer.from('a'), sealedKey: Buffer.from('b'), serverId: 's', serverKey: 'k', position: 40 },
  ...{ pushed: 50, tellAgainTo: null, toldAt: null, serverProgram: null, numbers: [], lastCommand: 0, enrolledAt: 1 },
}

/** What a gateway that may have told of 50 places makes of the answer to its hello. */
async function greeted(answer: { mark: number; heard: number }) {
  const store = await openStore(join(await tempDir(), 'fiskd.db'), 1)
  onTestFinished(() => store.close())
  await store.enrolment.put(ENROLLED)
  const quiet = () => {}
  await greet(
    {
      ...{ store, program: '1.0.0', now: () => 1, log: { info: quiet, warn: quiet, error: quiet } },
      learn: async () => ({ learned: [], homeless: [] }),
      connection: {
        ask: async <T>() =>
          ({ name: 'kiosk', program: '1.0.0', numbers: [], taken: [], reported: null, ...answer }) as unknown as T,
      },
    },
    ENROLLED,
    new AbortController().signal,
  )
  return store
}

test('a server that has heard what this database never told has everything told again, wherever its mark is', async () => {
  const store = await greeted({ mark: 45, heard: 70 })
  expect(await store.enrolment.get()).toMatchObject({ position: 45, tellAgainTo: 70 })
})

test('rows that travelled ahead of their turn are no other history', async () => {
  const store = await greeted({ mark: 45, heard: 50 })
  expect(await store.enrolment.get()).toMatchObject({ position: 45, tellAgainTo: null })
})
