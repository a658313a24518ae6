import { POSITIONS_DOUBTFUL } from '../../domain/sync-bounds.ts'
import type { LinkState } from '../../fiscal/ports/central-server.ts'
import type { Enrolment } from '../../fiscal/ports/enrolment.ts'
import { type Premises, premisesKey } from '../../fiscal/ports/gateways.ts'
import { type Connection, NotEnrolled, type Throttle } from './connection.ts'
import { backoffMs, SyncFailure, stateOf } from './failure.ts'
import { type HandshakeDeps, handshake } from './handshake.ts'
import { createPusher } from './push.ts'
import { createRefusals } from './refusals.ts'
import { createRounds } from './rounds.ts'
import { addOlder, tellAgain } from './small-steps.ts'
import { type TellReservedDeps, tellReserved } from './tell-skipped.ts'

export interface UplinkDeps extends Omit<HandshakeDeps, 'connection'>, Pick<TellReservedDeps, 'keep'> {
  connection: Connection
  throttle: Throttle
  /** Resolves when no sale is under way, or after a while. */
  quiet: () => Promise<void>
  /** How often the uplink looks for changes of which it was not notified, milliseconds. */
  lookMs?: number | undefined
  /** How long to wait for further sales before a push, milliseconds. */
  debounceMs?: number | undefined
  /** Called when the numbers that the server has seen are out of use here. */
  onNumbers?: () => Promise<void>
  /** Called when the server has answered the hello of this process. */
  onGreeted?: () => void
  random?: () => number
  /** Milliseconds that have passed, whatever is done to the clock. */
  elapsed?: () => number
}

const LOOK_MS = 5000
const DEBOUNCE_MS = 1000

/** What the server must hear next. */
type Phase =
  /** Who we are, and where we sell. @property first these premises before all others */
  | { name: 'greeting'; first: readonly Premises[] }
  /** What has changed. @property premises the ones that it has heard of */
  | { name: 'telling'; premises: ReadonlySet<string> }

interface Progress {
  phase: Phase
  failures: number
  nextTryAt: number | null
  /** Of our own look at what the server says; the connection knows nothing of it. */
  doubt: LinkState['lastError']
  conflicts: LinkState['conflicts']
}

const GREETING: Phase = { name: 'greeting', first: [] }
const AT_FIRST: Progress = { phase: GREETING, failures: 0, nextTryAt: null, doubt: null, conflicts: [] }

/** Tells the server of every change, in order, for as long as the gateway is enrolled. */
export function createUplink(deps: UplinkDeps) {
  const { store, connection, throttle, quiet, now, log, random } = deps
  const { onNumbers = async () => {}, onGreeted = () => {} } = deps
  const { lookMs = LOOK_MS, debounceMs = DEBOUNCE_MS, elapsed = () => performance.now() } = deps
  const at: Progress = { ...AT_FIRST }
  let debounce: NodeJS.Timeout | undefined
  const told = new Set<string>()
  const refusals = createRefusals({ store, quiet, now, elapsed })
  const rounds = createRounds({ step, failed })

  const pusher = createPusher({
    store,
    connection,
    quiet,
    throttle,
    now,
    elapsed,
    random,
    log,
    onConflicts(found) {
      at.conflicts = found.slice(0, 100)
      for (const { what, value, message } of at.conflicts) {
        const key = `${what} ${value}`
        if (told.has(key) || told.size > 1000) continue
        told.add(key)
        log.warn({ what }, `several gateways say: ${message}`)
      }
    },
  })

  async function step(signal: AbortSignal): Promise<number> {
    const restMs = await goOn(signal)
    at.nextTryAt = null
    return restMs
  }

  async function goOn(signal: AbortSignal): Promise<number> {
    const enrolment = await store.enrolment.get()
    if (!enrolment?.gatewayId) return lookMs
    const debt = throttle.debtMs()
    if (debt > 0) return debt
    const { phase } = at
    if (phase.name === 'greeting') return greet(enrolment, phase, signal)
    if (connection.state().name === 'replaced') {
      // The loop of the commands was told so.
      greetFirst()
      return backoffMs(1, new SyncFailure('sync_session_replaced', ''), random)
    }
    await addOlder(store, quiet, signal)
    await refusals.sendDue()
    const outcome = await pusher.push(enrolment, phase.premises, signal)
    if (outcome === 'stuck') {
      throw new SyncFailure('server_behind', 'the server goes back to what it has', { status: 200 })
    }
    if (outcome === 'greet') at.phase = { name: 'greeting', first: pusher.unnamed() }
    else at.failures = 0
    return outcome === 'idle' ? lookMs : 0
  }

  async function greet(
    enrolment: Enrolment,
    phase: Phase & { name: 'greeting' },
    signal: AbortSignal,
  ): Promise<number> {
    const { premises, isOtherProgram, seen } = await handshake(deps, enrolment, signal, phase.first)
    at.doubt = null
    await onNumbers()
    await tellReserved(deps, seen, signal)
    await tellAgain(store, quiet, signal)
    if (isOtherProgram && enrolment.serverProgram !== null) await refusals.sendAll()
    // A call has changed the phase meanwhile, for example `pushNow`.
    if (at.phase !== phase) return 0
    at.phase = { name: 'telling', premises: new Set(premises.map(premisesKey)) }
    onGreeted()
    return 0
  }

  function greetFirst(): void {
    if (at.phase.name !== 'greeting') at.phase = GREETING
  }

  function failed(error: unknown): number {
    if (error instanceof NotEnrolled) return lookMs
    at.failures++
    if (!(error instanceof SyncFailure)) log.error({ err: error }, 'the central server could not be told')
    if (error instanceof SyncFailure && error.code === POSITIONS_DOUBTFUL) {
      if (at.doubt === null) log.warn({ code: error.code }, error.message)
      at.doubt = { at: now(), code: error.code, message: error.message }
    }
    // It must hear who we are before anything else.
    if (stateOf(error) === 'replaced') greetFirst()
    const ms = backoffMs(at.failures, error, random)
    at.nextTryAt = now() + ms
    return ms
  }

  function wake(): void {
    clearTimeout(debounce)
    debounce = undefined
    rounds.wake()
  }

  return {
    start: rounds.start,
    /** Something has changed: it is told within about a second. */
    nudge(): void {
      // A failure is waited out, and a batch that is under way looks again by itself.
      if (at.nextTryAt !== null || debounce !== undefined) return
      debounce = setTimeout(wake, debounceMs)
      debounce.unref()
    },
    /** Tries at once, also what was refused. Resolves when it has begun: `heard` is false until the server has answered. */
    async pushNow(): Promise<void> {
      await refusals.sendAll()
      pusher.hurry()
      at.failures = 0
      at.nextTryAt = null
      // Greets the server even when no row waits: the caller wants to know whether the server answers.
      at.phase = { name: 'greeting', first: at.phase.name === 'greeting' ? at.phase.first : [] }
      wake()
    },
    /** Runs the work while nothing is told, and begins anew unless it fails: the enrolment is another one then. */
    apart: <T>(work: () => Promise<T>): Promise<T> =>
      rounds.apart(async () => {
        // If it fails, the enrolment is unchanged.
        const result = await work()
        greetFirst()
        await connection.reset()
        Object.assign(at, { ...AT_FIRST, phase: at.phase })
        wake()
        return result
      }),
    state(): LinkState {
      const { lastError, ...server } = connection.state()
      const { doubt, nextTryAt, conflicts, phase } = at
      return { ...server, lastError: doubt ?? lastError, nextTryAt, conflicts, heard: phase.name === 'telling' }
    },
    greetFirst,
    /** Whether the server has heard this process. */
    greeted: (): boolean => at.phase.name === 'telling',
    async close(): Promise<void> {
      clearTimeout(debounce)
      await rounds.close()
    },
  }
}
