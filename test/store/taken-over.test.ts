import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { addGateway } from '../../src/fiscal/gateways/gateways.ts'
import { LOCAL_GATEWAY } from '../../src/fiscal/ports/model.ts'
import type { SyncRecord } from '../../src/fiscal/ports/outbox.ts'
import type { Store } from '../../src/fiscal/ports/store.ts'
import { openStore } from '../../src/store/store.ts'
import { ingest } from '../../src/sync/server/ingest.ts'
import { encodeRecord } from '../../src/sync/wire/records.ts'
import { OPERATOR } from '../support/people.ts'
import { postgresDatabase, skipWithoutPostgres } from '../support/postgres.ts'
import { fleet, record } from '../support/sync-rows.ts'

const SESSION = '00000000-0000-4000-8000-000000000001'

test.skipIf(skipWithoutPostgres)(
  'a company that is taken over while its gateway tells of it stays taken over',
  async () => {
    const url = await postgresDatabase()
    const [store, other] = [await openStore(url, 1), await openStore(url, 1)]
    onTestFinished(async () => {
      await store.close()
      await other.close()
    })
    const deps = { store, clock: { now: Date.now }, newUuid: randomUUID, caHash: async () => Buffer.alloc(32) }
    const { gateway } = await addGateway(deps, OPERATOR, { name: 'kiosk', again: false })
    await store.gateways.update(gateway.id, { session: SESSION })
    const tell = async (through: Store, records: SyncRecord[]) =>
      ingest(
        {
          store: through,
          now: Date.now,
          quiet: async () => {},
          onRefused: async () => {},
          onConflicts: async () => {},
        },
        (await store.gateways.get(gateway.id)) ?? gateway,
        SESSION,
        { after: 0, position: Math.max(...records.map(({ version }) => version)), records: records.map(encodeRecord) },
      )
    const { company, device, parents } = fleet()
    await tell(store, parents())

    let looks = 0
    const overtaken: Store = {
      ...store,
      ingest: (source, work) =>
        store.ingest(source, (tx) => {
          const write: typeof tx.replicas.write = async (from, changes) => {
            if (++looks === 1) {
              const taken = { gatewayId: LOCAL_GATEWAY, name: 'Taken over', mode: 'live' as const }
              await other.transaction((second) => second.companies.update(company.id, taken))
            }
            await tx.replicas.write(from, changes)
          }
          return work({ ...tx, replicas: { ...tx.replicas, write } })
        }),
    }
    const words = [
      record('company', { ...company, name: 'Word of the gateway', status: 'archived' }),
      record('device', { ...device, label: 'New label' }),
    ]
    const answer = await tell(overtaken, words)

    expect(await store.companies.get(company.id)).toMatchObject({
      ...{ gatewayId: LOCAL_GATEWAY, name: 'Taken over', mode: 'live', status: 'active' },
    })
    expect(answer).toMatchObject({ position: words[1]?.version, refused: [], conflicts: [{ what: 'company' }] })
    expect(await store.devices.get(device.id)).toMatchObject({ label: 'New label' })
  },
)
