import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Enrolment } from '../../../../src/fiscal/ports/enrolment.ts'
import { DEFAULT_TENANT, openStore } from '../../../../src/store/store.ts'
import { SyncFailure } from '../../../../src/sync/gateway/failure.ts'
import { handshake } from '../../../../src/sync/gateway/handshake.ts'
import { tempDir } from '../../../support/temp-dir.ts'

const ENROLLED: Enrolment = {
  ...{ tenantId: DEFAULT_TENANT, url: 'https://fisk.example.com', caPem: null, gatewayId: 'g', name: 'kiosk' },
  ...{
    sealedCredential: Buffer.from('a'),
    sealedKey: Buffer.from('b'),
    sealedLinks: null,
    serverId: 's',
    serverKey: 'k',
    position: 40,
  },
  ...{ pushed: 50, tellAgainTo: null, toldAt: null, serverProgram: null, numbers: [], lastCommand: 0, enrolledAt: 1 },
}

/** What a gateway that may have told of 50 places makes of the answer to its hello: its store, or why it does not believe it. */
export async function greeted(answer: { position: number; heard: number }) {
  const store = await openStore(join(await tempDir(), 'fiskd.db'), 1)
  onTestFinished(() => store.close())
  await store.enrolment.put(ENROLLED)
  const quiet = () => {}
  const greeting = handshake(
    {
      ...{ store, program: '1.0.0', now: () => 1, log: { info: quiet, warn: quiet, error: quiet } },
      learn: async () => ({ learned: [], kept: [] }),
      noteLost: async () => null,
      connection: {
        ask: async <T>() =>
          ({ name: 'kiosk', program: '1.0.0', numbers: [], taken: [], reported: null, ...answer }) as unknown as T,
      },
    },
    ENROLLED,
    new AbortController().signal,
  )
  return greeting.then(
    () => store,
    (error: unknown) => {
      if (error instanceof SyncFailure) return error
      throw error
    },
  )
}
