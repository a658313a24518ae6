import { setTimeout as delay } from 'node:timers/promises'
import { PLACES_DOUBTFUL } from '../../domain/sync-bounds.ts'
import type { Premises } from '../../fiscal/ports/gateways.ts'
import type { WireConflict } from '../wire/messages.ts'
import { backoffMs } from './backoff.ts'
import { type Connection, NotEnrolled, type ServerState } from './connection.ts'
import { SyncFailure, stateOf } from './failure.ts'
import { type HandshakeDeps, handshake, keyOf } from './handshake.ts'
import { createPusher } from './push.ts'
import { createRefusals } from './refusals.ts'
import { tellAgain } from './tell-again.ts'
import type { Throttle } from './throttle.ts'

export interface UplinkDeps extends Omit<HandshakeDeps, 'connection'> {
  connection: Connection
  throttle: Throttle
  /** Resolves when no sale is under way, or after a while. */
  quiet: () => Promise<void>
  /** How often is looked for changes that nobody has told of, milliseconds. */
  lookMs?: number | undefined
  /** How long sales are waited for that follow one another, milliseconds. */
  debounceMs?: number | undefined
  /** Told when the server has heard this process. */
  onGreeted?: () => void
  random?: () => number
  /** Milliseconds that have passed, whatever is done to the clock. */
  elapsed?: () => number
}

export interface UplinkState extends ServerState {
  /** When the next attempt is made after a failure; null while nothing is waited for. */
  nextTryAt: number | null
  /** What the server has found in several gateways, the latest word of it. */
  conflicts: readonly WireConflict[]
  /** The server has answered a hello of this process that began after the last `pushNow`. */
  heard: boolean
}

/** Tells the server of every change, in order, for as long as the gateway is enrolled. */
export interface Uplink {
  start(): void
  /** Something has changed: it is told within about a second. */
  nudge(): void
  /** Tries at once, also what was refused. Resolves when it has begun: `heard` is false until the server has answered. */
  pushNow(): Promise<void>
  /** Runs the work while nothing is told, and begins anew unless it fails: the enrolment is another one then. */
  apart<T>(work: () => Promise<T>): Promise<T>
  state(): UplinkState
  /** Says hello before anything else is told. */
  greetFirst(): void
  /** Whether the server has heard this process. */
  greeted(): boolean
  close(): Promise<void>
}

const LOOK_MS = 5000
const DEBOUNCE_MS = 1000

export function createUplink(deps: UplinkDeps): Uplink {
  const { store, connection, throttle, quiet, now, log, random, onGreeted = () => {} } = deps
  const { lookMs = LOOK_MS, debounceMs = DEBOUNCE_MS, elapsed = () => performance.now() } = deps
  let isEnded = false
  // Each ends what is under way, and makes room for the next: a signal that lives as long as the uplink would keep
  // something of every turn.
  let wake = new AbortController()
  let round = new AbortController()
  let running: Promise<void> = Promise.resolve()
  let loopEnded: Promise<void> | undefined
  let debounce: NodeJS.Timeout | undefined
  let premises: ReadonlySet<string> | undefined
  let wanted: readonly Premises[] = []
  let failures = 0
  let nextTryAt: number | null = null
  /** Of our own look at what the server says; the connection knows nothing of it. */
  let doubt: ServerState['lastError'] = null
  /** How often somebody has wanted it now. */
  let wishes = 0
  let conflicts: readonly WireConflict[] = []
  const told = new Set<string>()
  const refusals = createRefusals({ store, quiet, now, elapsed })

  const pusher = createPusher({
    ...{ store, connection, quiet, throttle, now, log },
    onConflicts(found) {
      conflicts = found.slice(0, 100)
      for (const { what, value, message } of conflicts) {
        const key = `${what} ${value}`
        if (told.has(key) || told.size > 1000) continue
        told.add(key)
        log.warn({ what }, `several gateways say: ${message}`)
      }
    },
  })

  /** @returns how long to rest, milliseconds */
  async function goOn(signal: AbortSignal): Promise<number> {
    const enrolment = await store.enrolment.get()
    if (!enrolment?.gatewayId) return lookMs
    const debt = throttle.debtMs()
    if (debt > 0) return debt
    if (premises && connection.state().name === 'replaced') {
      // The loop of the commands was told so.
      premises = undefined
      return backoffMs(1, new SyncFailure('sync_session_replaced', ''), random)
    }
    if (!premises) return hello(signal)
    await refusals.sendDue()
    const outcome = await pusher.push(enrolment, premises, signal)
    if (outcome === 'greet') {
      premises = undefined
      wanted = pusher.unnamed()
    }
    if (outcome === 'stuck')
      throw new SyncFailure('server_behind', 'the server goes back to what it has', { status: 200 })
    if (outcome !== 'greet') failures = 0
    return outcome === 'idle' ? lookMs : 0
  }

  async function hello(signal: AbortSignal): Promise<number> {
    const enrolment = await store.enrolment.get()
    if (!enrolment) return lookMs
    const wish = wishes
    const { premises: named, isOtherProgram } = await handshake(deps, enrolment, signal, wanted)
    doubt = null
    await tellAgain(store, quiet, signal)
    if (isOtherProgram && enrolment.serverProgram !== null) await refusals.sendAll()
    // It is to be known that it answers now.
    if (wish !== wishes) return 0
    premises = new Set(named.map(keyOf))
    wanted = []
    onGreeted()
    return 0
  }

  async function rest(ms: number): Promise<void> {
    if (ms <= 0) return
    await delay(ms, undefined, { signal: wake.signal }).catch(() => {})
    if (wake.signal.aborted) wake = new AbortController()
  }

  function faulted(error: unknown): number {
    if (error instanceof NotEnrolled) return lookMs
    failures++
    if (!(error instanceof SyncFailure)) log.error({ err: error }, 'the central server could not be told')
    if (error instanceof SyncFailure && error.code === PLACES_DOUBTFUL) {
      if (doubt === null) log.warn({ code: error.code }, error.message)
      doubt = { at: now(), code: error.code, message: error.message }
    }
    // It must hear who we are before anything else.
    if (stateOf(error) === 'replaced') premises = undefined
    const ms = backoffMs(failures, error, random)
    nextTryAt = now() + ms
    return ms
  }

  async function loop(): Promise<void> {
    while (!isEnded) {
      let ms = 0
      const turn = running.then(async () => {
        if (isEnded) return
        round = new AbortController()
        const { signal } = round
        try {
          ms = await goOn(signal)
          nextTryAt = null
        } catch (error) {
          if (!signal.aborted) ms = faulted(error)
        }
      })
      running = turn
      await turn
      if (!isEnded) await rest(ms)
    }
  }

  const wakeUp = () => {
    clearTimeout(debounce)
    debounce = undefined
    wake.abort()
  }

  return {
    start() {
      loopEnded ??= loop()
    },
    nudge() {
      // A failure is waited out, and a batch that is under way looks again by itself.
      if (nextTryAt !== null || debounce !== undefined) return
      debounce = setTimeout(wakeUp, debounceMs)
      debounce.unref()
    },
    async pushNow() {
      await refusals.sendAll()
      failures = 0
      nextTryAt = null
      // Asks even when nothing waits: whoever wants it now wants to know whether the server answers.
      wishes++
      premises = undefined
      wakeUp()
    },
    async apart(work) {
      round.abort()
      const before = running
      const done = before.then(async () => {
        // Where it fails, the enrolment is what it was.
        const result = await work()
        premises = undefined
        await connection.reset()
        failures = 0
        nextTryAt = null
        conflicts = []
        doubt = null
        wakeUp()
        return result
      })
      running = done.then(
        () => {},
        () => {},
      )
      return done
    },
    state() {
      const { lastError, ...server } = connection.state()
      return { ...server, lastError: doubt ?? lastError, nextTryAt, conflicts, heard: premises !== undefined }
    },
    greetFirst() {
      premises = undefined
    },
    greeted: () => premises !== undefined,
    async close() {
      isEnded = true
      wakeUp()
      round.abort()
      await loopEnded
    },
  }
}
