import type { Clock } from '../ports/clock.ts'
import type { GatewayRecord, Heartbeat } from '../ports/gateways.ts'
import type { Store } from '../ports/store.ts'

/** What belongs together is written at most so often: a poll says it all again. */
const EVERY_MS = 10_000
/** What comes within so long is written in one go: by itself each word would be a wait for the disk. */
const TOGETHER_MS = 100

type NoteHeartbeat = (gateway: GatewayRecord, heartbeat: Heartbeat) => Promise<void>

/** Gateways say how they are; each is told when it is stored. */
export function createHeartbeats({ store, clock }: { store: Pick<Store, 'transaction'>; clock: Clock }): NoteHeartbeat {
  let said = new Map<string, Heartbeat>()
  let written: Promise<void> | undefined

  async function write(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, TOGETHER_MS))
    // In one order, so that two processes never wait for each other.
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
