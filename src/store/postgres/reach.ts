import type { DatabaseAway, DatabaseReach } from '../../fiscal/ports/store.ts'
import { asAway } from './server-faults.ts'

export interface ReachDeps {
  /** Shows that the database accepts writes; within a few seconds it resolves or throws. */
  beat(): Promise<void>
  /** Shows that the database has space for new rows; within a few seconds it resolves or throws. */
  tryToInsert(): Promise<unknown>
  /** Since when the oldest query waits for its answer, by `performance.now`. */
  waitsSince(): number | undefined
  /** Called when the database goes away: what waits for an answer must not wait any longer. */
  cut(): void
}

export type WatchedReach = ReturnType<typeof watchReach>

const BEAT_MS = 2_000
/** How often the database is tried while it is away. */
const AGAIN_MS = 250
/** A query that waits this long for its answer makes a beat happen. */
const HANG_MS = 1_000
/** How long after the first sign callers wait for the database to come back. */
const PATIENCE_MS = 3_500

/** Watches by beats whether the database can be reached. The first beat has to happen before. */
export function watchReach({ beat, tryToInsert, waitsSince, cut }: ReachDeps) {
  const awayListeners = new Set<(away: DatabaseAway) => void>()
  const backListeners = new Set<() => void>()
  let lastContact = performance.now()
  let firstSign: number | undefined
  let away: { error: unknown } | undefined
  /** Whether a write has failed, and no other one has succeeded since. */
  let isDoubtful = false
  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  async function lookOnce(): Promise<void> {
    clearTimeout(timer)
    const began = performance.now()
    try {
      await beat()
      if (isDoubtful) {
        isDoubtful = false
        await tryToInsert().catch((error: unknown) => {
          isDoubtful = true
          throw error
        })
      }
      lastContact = began
      firstSign = undefined
      const wasAway = away !== undefined
      away = undefined
      if (wasAway) for (const listener of backListeners) listener()
    } catch (error) {
      firstSign ??= began
      const wasAway = away !== undefined
      away = { error }
      cut()
      if (!wasAway && !isClosed) for (const listener of awayListeners) listener(asAway(error))
    }
    looking = undefined
    const pause = away ? AGAIN_MS * (1 + Math.random()) : BEAT_MS
    if (!isClosed) timer = setTimeout(look, pause)
  }

  function look(): Promise<void> {
    looking ??= lookOnce()
    return looking
  }

  function suspect(refusesWrites = false): void {
    isDoubtful ||= refusesWrites
    firstSign ??= performance.now()
    if (!isClosed && !away) void look()
  }

  const hangs = setInterval(() => {
    const since = waitsSince()
    // An answer that a row's lock delays is no sign: the beat is answered.
    if (since === undefined || performance.now() - since < HANG_MS || lastContact > since + HANG_MS) return
    if (!away) firstSign ??= since
    suspect()
  }, HANG_MS / 2)
  hangs.unref()
  timer = setTimeout(look, BEAT_MS)

  function comeBack(patience?: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(end)
        backListeners.delete(done)
        resolve()
      }
      const end = patience === undefined ? undefined : setTimeout(done, patience)
      backListeners.add(done)
    })
  }

  const listenTo =
    <T>(listeners: Set<T>) =>
    (listener: T) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    }

  return {
    away: () => away && asAway(away.error),
    async back(): Promise<boolean> {
      if (firstSign !== undefined && !away) await look()
      if (!away) return false
      await comeBack()
      return true
    },
    onAway: listenTo(awayListeners),
    onBack: listenTo(backListeners),
    /** A connection was lost, or a write refused: the database may be away. */
    suspect,
    /** Resolves at once, unless the database is away: then it waits for a moment. @throws DatabaseAway when it stays away */
    async here(): Promise<void> {
      if (firstSign !== undefined && !away) await look()
      const patience = away ? (firstSign ?? 0) + PATIENCE_MS - performance.now() : 0
      if (patience > 0) await comeBack(patience)
      if (away) throw asAway(away.error)
    },
    /** When the latest beat began that was answered, by `performance.now`. */
    lastContact: () => lastContact,
    look,
    async close(): Promise<void> {
      isClosed = true
      clearInterval(hangs)
      clearTimeout(timer)
      await looking
    },
  } satisfies DatabaseReach & Record<string, unknown>
}
