import type { Received } from '../../chaos/authority.ts'
import { groupBy } from '../../chaos/compare.ts'
import type { Stored } from '../../chaos/database.ts'
import type { Trouble } from './trouble.ts'

/** An answer and the transaction that stores it take no longer than this when nothing is disturbed. */
const USUAL_MS = 5000

/**
 * Messages that nobody had to send: a second one that says it is the first, one after the JIR was stored, and one after
 * a message whose answer no trouble kept from being stored.
 * @param confirmedAt by `tick`, by invoice
 */
export function needless(
  received: readonly Received[],
  invoices: readonly Stored[],
  confirmedAt: ReadonlyMap<string, number>,
  troubles: readonly Trouble[],
): string[] {
  const ids = new Map(invoices.map(({ zki, id }) => [zki, id]))
  return [...groupBy(received, ({ zki }) => zki)].flatMap(([zki, messages]) => {
    const [{ number, premisesCode } = { number: '', premisesCode: '' }] = messages
    const name = `${number}/${premisesCode}`
    const sorted = messages.toSorted((one, other) => one.arrivedAt - other.arrivedAt)
    const firsts = sorted.filter(({ lateDelivery }) => !lateDelivery).length
    const storedAt = confirmedAt.get(ids.get(zki) ?? '') ?? Number.POSITIVE_INFINITY
    const after = sorted.filter(({ arrivedAt }) => arrivedAt > storedAt).length
    const undisturbed = sorted.slice(0, -1).filter((message) => !isDisturbed(message, troubles)).length
    return [
      ...(firsts > 1 ? [`${name} was sent ${firsts} times as if it were the first time`] : []),
      ...(after > 0 ? [`${name} was sent ${after} times after its JIR was stored`] : []),
      ...(undisturbed > 0 ? [`${name} was sent once more though nothing was in the way of an answer before`] : []),
    ]
  })
}

const isDisturbed = ({ arrivedAt }: Received, troubles: readonly Trouble[]) =>
  troubles.some(({ from, to }) => from <= arrivedAt + USUAL_MS && arrivedAt <= to + USUAL_MS)
