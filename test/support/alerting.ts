import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { createAlertWatch, type Rule } from '../../src/fiscal/alerts/alert-watch.ts'
import { createLease } from '../../src/fiscal/lease.ts'
import { LOCAL_GATEWAY } from '../../src/fiscal/ports/model.ts'
import { DEFAULT_TENANT, type OpenStore, openStore } from '../../src/store/store.ts'
import { freshDatabase } from './database.ts'
import { fleet, withoutLogo } from './sync-rows.ts'

const MINUTE_MS = 60_000

export interface Watched {
  store: OpenStore
  /** Moves the time, also that of the steady clock. */
  time: { now: number }
  clock: { now(): number }
  /** Sets the time to so many minutes after the start. */
  at(minutes: number): void
  /** What was raised and resolved since the last time, as `+kind` and `-kind`. */
  news(): string[]
}

/** A store of the test's own, at a moment that the test moves. */
export async function watched(start = Date.parse('2026-03-04T09:00:00Z')): Promise<Watched & { said: string[] }> {
  const store = await openStore(await freshDatabase(), start)
  onTestFinished(() => store.close())
  const time = { now: start }
  const said: string[] = []
  return {
    ...{ store, time, said, clock: { now: () => time.now } },
    at: (minutes) => {
      time.now = start + minutes * MINUTE_MS
    },
    news: () => said.splice(0),
  }
}

/** A watch with rules, as a process of its own. */
export function watchOf({ store, clock, said }: Pick<Watched, 'store' | 'clock'> & { said: string[] }, rules: Rule[]) {
  const lease = { hold: async () => true, release: async () => {} }
  return createAlertWatch({
    ...{ store, clock, rules, lease, newUuid: randomUUID },
    onRaised: ({ kind }) => void said.push(`+${kind}`),
    onResolved: ({ kind }) => void said.push(`-${kind}`),
    reportFault: (_kinds, error) => void said.push(String(error)),
  })
}

export const leaseOf = ({ store, clock }: Pick<Watched, 'store' | 'clock'>) =>
  createLease({ store, clock }, 'alerts', randomUUID())

/** A company of our own with a certificate and a device, and sales of it that are not stored yet. */
export async function sellingIn(
  store: OpenStore,
  soldAt: number,
  { tenantId = DEFAULT_TENANT, ...of }: { tenantId?: string } & Parameters<typeof fleet>[0] = {},
) {
  const { company, certificate, device, invoice } = fleet(of)
  const own = { tenantId, gatewayId: LOCAL_GATEWAY }
  await store.companies.insert({ ...withoutLogo(company), ...own })
  await store.certificates.insert({ ...certificate, notAfter: soldAt + 1e11, sealedKey: Buffer.alloc(1) })
  await store.devices.insert({ ...device, ...own })
  let number = 0
  return {
    ...{ company, certificate, device },
    /** Stores a sale that has no JIR. */
    async sell(changes: Partial<Parameters<typeof invoice>[1]> & { occurredAt?: number } = {}) {
      const occurredAt = changes.occurredAt ?? soldAt
      const sold = {
        ...invoice(++number, { ...{ status: 'retrying', jir: null, confirmedAt: null }, ...changes, occurredAt }),
        ...{ ...own, deadlineAt: occurredAt + 30 * 86_400_000, createdAt: occurredAt },
      }
      await store.invoices.insert(sold)
      return sold
    },
  }
}
