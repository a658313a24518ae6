import type { EpochMs } from '../../domain/instant.ts'
import { isWithinReach } from '../../domain/sale/receipt-number.ts'
import type { LostRecords, NumbersGivenTwice } from '../ports/lost-records.ts'
import { type JsonObject, sequenceKey } from '../ports/model.ts'
import type { SeenNumber } from '../ports/rows/numbering.ts'
import type { StoreTransaction } from '../ports/store.ts'

export interface LostRecordsDeps {
  store: StoreTransaction
  now: () => EpochMs
  newUuid: () => string
}

/** Cards that confirm writes they have not made, and old copies, have an older database without the last sales. */
export function createLostRecords({ store, now, newUuid }: LostRecordsDeps): LostRecords {
  const atStart = new Map<string, string>()

  async function givenTwice({ numbering }: StoreTransaction, seen: readonly SeenNumber[]) {
    const found: NumbersGivenTwice[] = []
    for (const one of seen) {
      const before = atStart.get(sequenceKey(one)) ?? '0'
      const ours = (await numbering.highest(one)) ?? '0'
      const last = BigInt(ours) < BigInt(one.highest) ? ours : one.highest
      if (BigInt(last) <= BigInt(before) || !isWithinReach(one.highest, before)) continue
      const { premisesCode, mode, year, register } = one
      found.push({ premisesCode, mode, year, register, first: String(BigInt(before) + 1n), last })
    }
    return found
  }

  return {
    async begin() {
      for (const { highest, ...sequence } of await store.numbering.sequences()) {
        atStart.set(sequenceKey(sequence), highest)
      }
    },
    async note(tx, { tenantId, toldAt }, { changes, numbers, isBelieved }) {
      // From this database nothing was ever sent: it is a new one.
      if (toldAt === null) return null
      const restoredAt = await tx.audit.latest('database.restored')
      if (restoredAt !== null && restoredAt >= toldAt) return null
      const twice = isBelieved ? await givenTwice(tx, numbers) : []
      const at = now()
      await tx.alerts.raise({
        id: newUuid(),
        tenantId,
        kind: 'records_lost',
        subject: `records ${at}`,
        detail: { changes, ...detailOf(twice) },
        raisedAt: at,
      })
      return twice
    },
  }
}

/** The first premises by name: one card seldom has more. */
function detailOf(twice: readonly NumbersGivenTwice[]): JsonObject {
  const [one] = twice
  if (!one) return { count: 0 }
  const { premisesCode, first, last } = one
  return { count: twice.length, premises: premisesCode, first, last }
}
