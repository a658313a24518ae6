import type { Received } from '../../chaos/authority.ts'
import type { Trouble } from './trouble.ts'
import type { Write } from './witness.ts'

/** Between the arrival of a message and the moment at which its sender was frozen, or the other way round. */
const ON_ITS_WAY_MS = 1000

/**
 * What processes had on its way when they were frozen, for longer than others wait for them: others have taken it over,
 * so when they wake up they may store the outcome of no message from before.
 */
export function fencedWrites(
  writes: readonly Write[],
  received: readonly Received[],
  troubles: readonly Trouble[],
): { onItsWay: number; problems: string[] } {
  const arrivals = new Map(received.map(({ messageId, arrivedAt }) => [messageId, arrivedAt]))
  const stored = new Set(writes.map(({ messageId }) => messageId))
  let onItsWay = 0
  const problems: string[] = []
  for (const { kind, who, from, to } of troubles) {
    if (kind !== 'freeze') continue
    const late = writes.filter((write) => write.who === who && write.at > to)
    const fromBefore = late.filter(({ messageId }) => (arrivals.get(messageId) ?? 0) < to)
    problems.push(
      ...fromBefore.map(({ invoiceId }) => `${who} woke up and stored an outcome of ${invoiceId} from before`),
    )
    const unanswered = received.filter(
      ({ messageId, arrivedAt }) => Math.abs(arrivedAt - from) < ON_ITS_WAY_MS && !stored.has(messageId),
    )
    onItsWay += unanswered.length + fromBefore.length
  }
  return { onItsWay, problems }
}
