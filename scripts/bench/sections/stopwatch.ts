/** What phases took, milliseconds by phase, one value for each sale. */
export interface Stopwatch {
  taken: Map<string, number[]>
  /** Notes what a phase takes. */
  during<T>(phase: string, work: () => T | Promise<T>): Promise<T>
  /** @returns what it takes, noted nowhere */
  measure(work: () => unknown): Promise<number>
  note(phase: string, ms: number): void
  /** Takes something out of what was noted last. */
  shorten(phase: string, ms: number): void
  last(phase: string): number
}

export function createStopwatch(): Stopwatch {
  const taken = new Map<string, number[]>()
  const note = (phase: string, ms: number) => {
    const times = taken.get(phase)
    if (times) times.push(ms)
    else taken.set(phase, [ms])
  }
  const last = (phase: string) => taken.get(phase)?.at(-1) ?? 0
  return {
    taken,
    note,
    last,
    async during(phase, work) {
      const start = performance.now()
      const result = await work()
      note(phase, performance.now() - start)
      return result
    },
    async measure(work) {
      const start = performance.now()
      await work()
      return performance.now() - start
    },
    shorten(phase, ms) {
      const times = taken.get(phase)
      times?.push((times.pop() ?? 0) - ms)
    },
  }
}
