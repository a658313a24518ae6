export interface RoundsDeps {
  /** @param signal ends it early; what it throws then is of no interest @returns how long to rest, milliseconds */
  step: (signal: AbortSignal) => Promise<number>
  /** What a round has thrown. @returns how long to rest, milliseconds */
  failed: (error: unknown) => number
}

type Phase =
  /** It has not begun, or its turn comes after what is done apart. */
  | { name: 'waiting' }
  | { name: 'working'; ending: AbortController; isWanted: boolean }
  | { name: 'resting'; end: () => void }
  | { name: 'closed' }

/** What happens again and again, until it is closed: a round, a rest, the next round. */
export function createRounds({ step, failed }: RoundsDeps) {
  const state: { phase: Phase } = { phase: { name: 'waiting' } }
  const isClosed = () => state.phase.name === 'closed'
  /** Rounds, and what is done apart, one after the other. */
  let turn: Promise<unknown> = Promise.resolve()
  let ended: Promise<void> | undefined

  async function round(): Promise<number> {
    if (isClosed()) return 0
    const working = { name: 'working' as const, ending: new AbortController(), isWanted: false }
    const { signal } = working.ending
    state.phase = working
    const restMs = await step(signal).catch((error: unknown) => (signal.aborted ? 0 : failed(error)))
    if (!isClosed()) state.phase = { name: 'waiting' }
    return working.isWanted ? 0 : restMs
  }

  function rest(ms: number): Promise<void> {
    if (ms <= 0 || isClosed()) return Promise.resolve()
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        if (!isClosed()) state.phase = { name: 'waiting' }
        resolve()
      }
      const timer = setTimeout(end, ms)
      state.phase = { name: 'resting', end }
    })
  }

  async function loop(): Promise<void> {
    while (!isClosed()) {
      const one = turn.then(round)
      turn = one
      await rest(await one)
    }
  }

  function endRound(): void {
    if (state.phase.name === 'working') state.phase.ending.abort()
  }

  function wake(): void {
    const { phase } = state
    if (phase.name === 'resting') phase.end()
    if (phase.name === 'working') phase.isWanted = true
  }

  return {
    start(): void {
      ended ??= loop()
    },
    /** Ends the rest; of a round that is under way the next one follows at once. */
    wake,
    /** Ends the round that is under way and does this before the next one. */
    apart<T>(work: () => Promise<T>): Promise<T> {
      endRound()
      const done = turn.then(work)
      turn = done.catch(() => {})
      return done
    },
    /** Ends the round that is under way, and begins no other one. */
    async close(): Promise<void> {
      endRound()
      wake()
      state.phase = { name: 'closed' }
      await ended
    },
  }
}
