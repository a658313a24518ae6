import type { Clock } from '../ports/clock.ts'
import type { GatewayRecord, Heartbeat } from '../ports/gateways.ts'
import type { StoreTransaction } from '../ports/store.ts'

/** Each gateway's heartbeat is written at most this often, unless it can sell or not any more; the next poll repeats it. */
const EVERY_MS = 10_000
/** Heartbeats within this time are written in one statement. */
const TOGETHER_MS = 200
/** A heartbeat is tried so many times while a push of its gateway is being stored. */
const MOST_TRIES = 20

type NoteHeartbeat = (gateway: GatewayRecord, heartbeat: Heartbeat) => Promise<void>

export interface HeartbeatsDeps {
  store: Pick<StoreTransaction, 'gateways'>
  clock: Clock
}

interface Said {
  heartbeat: Heartbeat
  tries: number
}

/**
 * Stores heartbeats of gateways in batches. Each call resolves when its batch was written; a heartbeat whose gateway is
 * just pushing goes into a later batch.
 */
export function createHeartbeats({ store, clock }: HeartbeatsDeps): NoteHeartbeat {
  let said = new Map<string, Said>()
  let written: Promise<void> | undefined

  async function write(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, TOGETHER_MS))
    const batch = said
    said = new Map()
    written = undefined
    const heartbeats = new Map([...batch].map(([id, { heartbeat }]) => [id, heartbeat]))
    for (const id of await store.gateways.noteHeartbeats(heartbeats, clock.now())) tryAgain(id, batch.get(id))
  }

  function tryAgain(id: string, before: Said | undefined): void {
    // A newer one has come meanwhile.
    if (!before || before.tries === MOST_TRIES || said.has(id)) return
    said.set(id, { heartbeat: before.heartbeat, tries: before.tries + 1 })
    if (written) return
    written = write()
    // A poll that shares the batch learns of a failure; without one the next poll repeats the heartbeat.
    written.catch(() => {})
  }

  return async ({ id, lastSeenAt, heartbeat: before }, heartbeat) => {
    const now = clock.now()
    const isFresh = lastSeenAt !== null && now >= lastSeenAt && now - lastSeenAt < EVERY_MS
    if (isFresh && before?.can_sell === heartbeat.can_sell) return
    said.set(id, { heartbeat, tries: 1 })
    written ??= write()
    await written
  }
}
