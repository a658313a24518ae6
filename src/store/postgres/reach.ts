import { DatabaseAway, type DatabaseReach } from '../../fiscal/ports/database-reach.ts'

export interface ReachDeps {
  /** Shows that the database accepts writes; within a few seconds it resolves or throws. */
  beat(): Promise<void>
  /** Since when the oldest query waits for its answer, by `performance.now`. */
  waitsSince(): number | undefined
  /** Called when the database goes away: what waits for an answer must not wait any longer. */
  cut(): void
}

export interface WatchedReach extends DatabaseReach {
  /** A connection was lost: the database may be away. */
  suspect(): void
  /** Resolves at once, or soon when the database comes back in a moment. @throws DatabaseAway when it does not */
  here(): Promise<void>
  /** When the latest beat began that was answered, by `performance.now`. */
  lastContact(): number
  /** Lets a beat happen now. */
  look(): Promise<void>
  close(): Promise<void>
}

interface ReachTimes {
  beatMs: number
  /** How often the database is tried while it is away. */
  againMs: number
  /** A query that waits this long for its answer makes a beat happen. */
  hangMs: number
  /** How long after the first sign callers wait for the database to come back. */
  patienceMs: number
}

const TIMES: ReachTimes = { beatMs: 2_000, againMs: 250, hangMs: 1_000, patienceMs: 3_500 }

/** Watches by beats whether the database can be reached. The first beat has to happen before. */
export function watchReach(deps: ReachDeps, times: ReachTimes = TIMES): WatchedReach {
  const { beat, waitsSince, cut } = deps
  const { beatMs, againMs, hangMs, patienceMs } = times
  const awayListeners = new Set<(reason: string) => void>()
  const backListeners = new Set<() => void>()
  let lastContact = performance.now()
  let firstSign: number | undefined
  let away: { error: unknown } | undefined
  let looking: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  async function lookOnce(): Promise<void> {
    clearTimeout(timer)
    const began = performance.now()
    try {
      await beat()
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
      if (!wasAway && !isClosed) for (const listener of awayListeners) listener(String((error as Error).message))
    }
    looking = undefined
    const pause = away ? againMs * (1 + Math.random()) : beatMs
    if (!isClosed) timer = setTimeout(look, pause)
  }

  function look(): Promise<void> {
    looking ??= lookOnce()
    return looking
  }

  function suspect(): void {
    firstSign ??= performance.now()
    if (!isClosed && !away) void look()
  }

  const hangs = setInterval(() => {
    const since = waitsSince()
    // An answer that a row's lock delays is no sign: the beat is answered.
    if (since === undefined || performance.now() - since < hangMs || lastContact > since + hangMs) return
    if (!away) firstSign ??= since
    suspect()
  }, hangMs / 2)
  hangs.unref()
  timer = setTimeout(look, beatMs)

  function comeBack(patience: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(end)
        backListeners.delete(done)
        resolve()
      }
      const end = setTimeout(done, patience)
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
    isAway: () => away !== undefined,
    back: () =>
      away
        ? new Promise((resolve) => {
            const stop = listenTo(backListeners)(() => {
              stop()
              resolve()
            })
          })
        : Promise.resolve(),
    onAway: listenTo(awayListeners),
    onBack: listenTo(backListeners),
    suspect,
    async here() {
      if (firstSign !== undefined && !away) await look()
      const patience = away ? (firstSign ?? 0) + patienceMs - performance.now() : 0
      if (patience > 0) await comeBack(patience)
      if (away) throw new DatabaseAway(away.error)
    },
    lastContact: () => lastContact,
    look,
    async close() {
      isClosed = true
      clearInterval(hangs)
      clearTimeout(timer)
      await looking
    },
  }
}
