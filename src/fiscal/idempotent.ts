import { FiskError } from '../domain/errors.ts'
import type { EpochMs } from '../domain/instant.ts'
import type { IdempotencyRecord } from './model.ts'
import type { StoreTransaction } from './store-port.ts'

/** One use of an `Idempotency-Key` header. */
export interface IdempotencyUse {
  /** Whose keys: the API key's id. */
  scope: string
  key: string
  /** SHA-256 of method, path and body. */
  requestHash: string
}

const LIFETIME_MS = 24 * 3_600_000

/**
 * What is known of a key that is used again (interface.md, Idempotency).
 * @returns the earlier use, or `undefined` when the key is new or its 24 hours are over.
 * @throws FiskError `idempotency_key_reused` when it belonged to a different request
 */
export async function earlierUse(
  tx: StoreTransaction,
  { scope, key, requestHash }: IdempotencyUse,
  now: EpochMs,
): Promise<IdempotencyRecord | undefined> {
  const record = await tx.idempotency.get(scope, key)
  if (!record || now - record.createdAt >= LIFETIME_MS) return undefined
  if (record.requestHash !== requestHash) {
    throw new FiskError('idempotency_key_reused', 'this idempotency key was used for a different request', {
      param: 'Idempotency-Key',
    })
  }
  return record
}

/** Reserves a key inside the transaction that stores what it stands for; an expired earlier use makes room. */
export async function reserveKey(
  tx: StoreTransaction,
  { scope, key, requestHash }: IdempotencyUse,
  invoiceId: string,
  now: EpochMs,
): Promise<void> {
  await tx.idempotency.remove(scope, key)
  await tx.idempotency.insert({ scope, key, requestHash, createdAt: now, invoiceId, response: null })
}
