import { FiskError } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { KeyedLock } from '../../domain/keyed-lock.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { ModeClocks, WatchedClock } from '../ports/clock.ts'
import type { IdempotencyRecord } from '../ports/model.ts'
import type { Store, StoreTransaction } from '../ports/store.ts'

/** The clocks that decide when idempotency keys end. */
export type KeyClock = ModeClocks & Pick<WatchedClock, 'proven'>

/** The current time for the lifetime of a key. */
export function keyTime(clock: KeyClock, { mode }: IdempotencyUse): EpochMs {
  return (mode === null ? clock : clock.of(mode)).proven()
}

/** One use of an `Idempotency-Key` header. */
export interface IdempotencyUse {
  /** The owner of the key: the id of the API key, which has one mode, or of the user. */
  scope: string
  /** The mode of the API key, which selects the clock; null for a user. */
  mode: Mode | null
  key: string
  /** SHA-256 of method, path and body. */
  requestHash: string
}

/** Stores something in the same transaction as a result: after a crash both are stored or neither. */
export type Keep<T> = (tx: StoreTransaction, result: T) => Promise<void>

/** A response that is stored for replay. It never contains XML, certificates or keys. */
export interface KeptResponse {
  status: number
  body: string
}

export interface Answer extends KeptResponse {
  /** Whether this is the stored response of an earlier request with the same key. */
  replayed: boolean
}

/** Answers a request once per idempotency key; without a key, every request runs. */
export type Once = (
  use: IdempotencyUse | undefined,
  work: (keep: Keep<KeptResponse>) => Promise<KeptResponse>,
) => Promise<Answer>

export const KEY_LIFETIME_MS = 24 * 3_600_000

/**
 * Looks up an earlier use of a key (interface.md, Idempotency).
 * @returns the earlier use, or `undefined` when the key is new or its 24 hours are over.
 * @throws FiskError `idempotency_key_reused` when it belonged to a different request
 */
export async function earlierUse(
  store: Pick<Store, 'idempotency' | 'transaction'>,
  use: IdempotencyUse,
  now: EpochMs,
): Promise<IdempotencyRecord | undefined> {
  const record = await store.idempotency.get(use.scope, use.key)
  if (!record || stillCounts(record, use, now)) return record
  // A proof of the time may be restarting the lifetime of keys in a transaction. Reading again in a transaction waits
  // for that.
  return store.transaction(async (tx) => stillCounts(await tx.idempotency.get(use.scope, use.key), use, now))
}

/** @throws FiskError `idempotency_key_reused` */
function stillCounts(
  record: IdempotencyRecord | undefined,
  { requestHash }: IdempotencyUse,
  now: EpochMs,
): IdempotencyRecord | undefined {
  if (!record || now - record.createdAt >= KEY_LIFETIME_MS) return undefined
  if (record.requestHash !== requestHash) {
    throw new FiskError('idempotency_key_reused', 'this idempotency key was used for a different request', {
      param: 'Idempotency-Key',
    })
  }
  return record
}

/** A key in use is never taken a second time, even if the key lock was lost. */
async function keepUse(
  tx: Pick<StoreTransaction, 'idempotency'>,
  use: IdempotencyUse,
  kept: Pick<IdempotencyRecord, 'createdAt' | 'invoiceId' | 'response'>,
): Promise<void> {
  const { scope, key, requestHash } = use
  const before = await tx.idempotency.get(scope, key)
  if (stillCounts(before, use, kept.createdAt)) {
    throw new Error('the idempotency key was used by another process meanwhile')
  }
  if (before) await tx.idempotency.remove(scope, key)
  await tx.idempotency.insert({ scope, key, requestHash, ...kept })
}

/**
 * Idempotency for everything except sales, which reserve their key with their number (see `fiscalize`). The work stores
 * its response in the transaction of its effect; a refused request stores nothing and leaves the key free.
 * @param keyLock the same lock as for sales: concurrent duplicates wait for the first
 */
export function createOnce({
  store,
  keyLock,
  clock,
}: {
  store: Pick<Store, 'idempotency' | 'transaction'>
  keyLock: KeyedLock
  clock: KeyClock
}): Once {
  return (use, work) => {
    if (!use) return work(async () => {}).then((response) => ({ ...response, replayed: false }))
    return keyLock.run(lockOf(use), async () => {
      const earlier = await earlierUse(store, use, keyTime(clock, use))
      if (earlier?.response) return { ...earlier.response, replayed: true }
      const response = await work(async (tx, response) => {
        await keepUse(tx, use, { createdAt: keyTime(clock, use), invoiceId: null, response })
      })
      return { ...response, replayed: false }
    })
  }
}

export function lockOf({ scope, key }: IdempotencyUse): string {
  return `${scope} ${key}`
}
