import type { KeptFacts } from '../../fiscal/ports/kept-facts.ts'
import { sequenceKey } from '../../fiscal/ports/model.ts'
import { type SeenNumber, SKIPPED_UNTOLD } from '../../fiscal/ports/rows/numbering.ts'
import type { Store } from '../../fiscal/ports/store.ts'
import { SYNC_BOUNDS } from '../wire/bounds.ts'
import { encodePlace } from '../wire/numbers.ts'
import type { Connection } from './connection.ts'

const NONE = Buffer.from('0')

export interface TellReservedDeps {
  store: Pick<Store, 'numbering'>
  connection: Pick<Connection, 'tell'>
  keep: KeptFacts
}

/**
 * Tells the server of the numbers that are out of use here and that it has not seen: those that a restore skipped, and those
 * that a server forgot which was restored itself. A machine that replaces this one then goes on above them. What the
 * server has seen is its acknowledgement: everything else is told with each hello.
 * @param seen the server's own word
 * @throws SyncFailure
 */
export async function tellReserved(
  { store, connection, keep }: TellReservedDeps,
  seen: readonly SeenNumber[],
  signal: AbortSignal,
): Promise<void> {
  const highest = new Map(seen.map((one) => [sequenceKey(one), BigInt(one.highest)]))
  const untold = new Map<string, SeenNumber>()
  for (const { companyId, mode, premisesCode, year, register, last } of await store.numbering.reserved()) {
    const number = { companyId, mode, premisesCode, year, register, highest: last, level: null }
    const key = sequenceKey(number)
    if (BigInt(last) <= (highest.get(key) ?? 0n)) continue
    highest.set(key, BigInt(last))
    untold.set(key, number)
  }
  await tellSkipped(connection, [...untold.values()], signal)
  if (((await keep.get(SKIPPED_UNTOLD)) ?? NONE).toString() !== '0') await keep.put(SKIPPED_UNTOLD, NONE)
}

/** @throws SyncFailure */
export async function tellSkipped(
  connection: Pick<Connection, 'tell'>,
  numbers: readonly SeenNumber[],
  signal: AbortSignal,
): Promise<void> {
  const most = SYNC_BOUNDS.skippedNumbers.most
  for (let start = 0; start < numbers.length; start += most) {
    const json = JSON.stringify({ numbers: numbers.slice(start, start + most).map(encodePlace) })
    await connection.tell({ path: '/identity/numbers', body: { json }, signal })
  }
}
