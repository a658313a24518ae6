import type { Clock } from '../ports/clock.ts'
import type { GatewayRecord, Heartbeat } from '../ports/gateways.ts'
import type { Store } from '../ports/store.ts'

/** Each gateway's heartbeat is written at most this often; the next poll repeats it. */
const EVERY_MS = 10_000
/** Heartbeats within this time are written in one transaction, to save disk waits. */
const TOGETHER_MS = 100

type NoteHeartbeat = (gateway: GatewayRecord, heartbeat: Heartbeat) => Promise<void>

/** Stores heartbeats of gateways; each call resolves when its heartbeat is stored. */
export function createHeartbeats({ store, clock }: { store: Pick<Store, 'transaction'>; clock: Clock }): NoteHeartbeat {
  let said = new Map<string, Heartbeat>()
  let written: Promise<void> | undefined

  async function write(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, TOGETHER_MS))
    // In a fixed order, so that two processes never deadlock.
    const all = [...said].sort(([one], [other]) => (one < other ? -1 : 1))
    said = new Map()
    written = undefined
    const now = clock.now()
    await store.transaction(async (tx) => {
      for (const [id, heartbeat] of all) {
        await tx.gateways.update(id, { lastSeenAt: now, reportedAt: now, heartbeat })
      }
    })
  }

  return async ({ id, lastSeenAt, heartbeat: before }, heartbeat) => {
    const now = clock.now()
    if (before !== null && lastSeenAt !== null && now >= lastSeenAt && now - lastSeenAt < EVERY_MS) return
    said.set(id, heartbeat)
    written ??= write()
    await written
  }
}
