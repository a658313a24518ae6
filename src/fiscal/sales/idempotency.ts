import { FiskError } from '../../domain/errors.ts'
import type { KeyedLock } from '../../domain/keyed-lock.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { KeyClock } from '../ports/clock.ts'
import type { IdempotencyRecord } from '../ports/model.ts'
import type { KeyTime } from '../ports/rows/sales.ts'
import { Duplicate, type Store, type StoreTransaction } from '../ports/store.ts'

/** The clock of the keys of users and of the operator, and those of the keys of each mode. */
export type KeyClocks = KeyClock & { of(mode: Mode): KeyClock }

/** The current time for the lifetime of a key. */
export function keyTime(clock: KeyClocks, { mode }: Pick<IdempotencyUse, 'mode'>): KeyTime {
  return (mode === null ? clock : clock.of(mode)).keyTime()
}

export interface IdempotencyUse extends Pick<IdempotencyRecord, 'scope' | 'key' | 'requestHash'> {
  /** The mode of the API key, which selects the clock; null for a user. */
  mode: Mode | null
}

/** Stores something in the same transaction as a result: after a crash both are stored or neither. */
export type Keep<T> = (tx: StoreTransaction, result: T) => Promise<void>

/** Runs work in a transaction, with what is kept of its result. */
export const keeping = <T>(
  store: Pick<Store, 'transaction'>,
  keep: Keep<T> | undefined,
  work: (tx: StoreTransaction) => Promise<T>,
): Promise<T> =>
  store.transaction(async (tx) => {
    const result = await work(tx)
    await keep?.(tx, result)
    return result
  })

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

/**
 * An earlier use of a key (docs/spec/interface.md, Idempotency); undefined when it is new or its 24 hours are over.
 * @throws FiskError `idempotency_key_reused` when it belonged to a different request
 */
export async function earlierUse(
  { idempotency }: StoreTransaction,
  use: IdempotencyUse,
  now: KeyTime,
): Promise<IdempotencyRecord | undefined> {
  return stillCounting(await idempotency.get(use.scope, use.key, now), use)
}

/** @throws FiskError `idempotency_key_reused` */
function stillCounting(
  record: Awaited<ReturnType<StoreTransaction['idempotency']['get']>>,
  { requestHash }: IdempotencyUse,
): IdempotencyRecord | undefined {
  if (!record || record.isOver) return undefined
  if (record.requestHash !== requestHash) {
    throw new FiskError('idempotency_key_reused', 'this idempotency key was used for a different request', {
      param: 'Idempotency-Key',
    })
  }
  return record
}

/** Another process has used the key since it was looked up. */
export class KeyUsedMeanwhile extends Error {
  constructor() {
    super('the idempotency key was used by another process meanwhile')
    this.name = 'KeyUsedMeanwhile'
  }
}

/** A key in use is never taken a second time. @throws KeyUsedMeanwhile */
async function keepUse(
  tx: StoreTransaction,
  use: IdempotencyUse,
  now: KeyTime,
  kept: Pick<IdempotencyRecord, 'invoiceId' | 'response'>,
): Promise<void> {
  const { scope, key, requestHash } = use
  const before = await tx.idempotency.get(scope, key, now)
  if (stillCounting(before, use)) throw new KeyUsedMeanwhile()
  if (before) await tx.idempotency.remove(scope, key)
  try {
    await tx.idempotency.insert({ scope, key, requestHash, ...kept }, now)
  } catch (error) {
    throw error instanceof Duplicate ? new KeyUsedMeanwhile() : error
  }
}

/**
 * Idempotency for everything except sales, which reserve their key with their number (see `fiscalize`). The work stores
 * its response in the transaction of its effect; a refused request stores nothing and leaves the key free.
 * Of equal requests at several processes one has its effect, and all get its response.
 * @param keyLock the same lock as for sales: concurrent duplicates in this process wait for the first
 */
export function createOnce({ store, keyLock, clock }: { store: Store; keyLock: KeyedLock; clock: KeyClocks }): Once {
  return (use, work) => {
    if (!use) return work(async () => {}).then((response) => ({ ...response, replayed: false }))
    return keyLock.run(lockOf(use), async () => {
      const earlier = await earlierUse(store, use, keyTime(clock, use))
      if (earlier?.response) return { ...earlier.response, replayed: true }
      /** Whether what the work did is stored without its response, because the key has another one. */
      let isLost = false
      const done = work(async (tx, response) => {
        isLost = true
        await keepUse(tx, use, keyTime(clock, use), { invoiceId: null, response })
        isLost = false
      })
      const response = await done.catch((error: unknown) => ({ error }))
      if (!isLost && !('error' in response)) return { ...response, replayed: false }
      // Where the work was refused, what the same request did at another process may be the reason.
      const used = await earlierUse(store, use, keyTime(clock, use))
      if (used?.response) return { ...used.response, replayed: true }
      if ('error' in response) throw response.error
      return { ...response, replayed: false }
    })
  }
}

export const lockOf = ({ scope, key }: IdempotencyUse): string => `${scope} ${key}`
