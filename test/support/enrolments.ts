import type { Enrolment } from '../../src/fiscal/ports/enrolment.ts'
import { DEFAULT_TENANT } from '../../src/store/store.ts'

/** Where a gateway tells of its changes, as it is stored; nobody is there. */
export function enrolment(changes: Partial<Enrolment> = {}): Enrolment {
  return {
    tenantId: DEFAULT_TENANT,
    url: 'https://fisk.example.com',
    caPem: null,
    gatewayId: 'g',
    name: null,
    sealedCredential: Buffer.from('a'),
    sealedKey: Buffer.from('b'),
    sealedLinks: null,
    serverId: null,
    serverKey: null,
    position: 0,
    pushed: 0,
    tellAgainTo: null,
    toldAt: null,
    serverProgram: null,
    lastCommand: 0,
    enrolledAt: 6,
    numbers: [],
    ...changes,
  }
}
