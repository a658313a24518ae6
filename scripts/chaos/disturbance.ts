/** What disturbs the daemon again and again, until the end of the trouble. */
export interface Disturbance {
  begin(): void
  /** @returns how often it did */
  finish(): Promise<number>
}

/** @param act disturbs once, after a while */
export function disturbance(act: () => Promise<void>): Disturbance {
  let times = 0
  let isOver = false
  let working: Promise<void> = Promise.resolve()

  async function work(): Promise<void> {
    while (!isOver) {
      await act()
      times++
    }
  }

  return {
    begin() {
      working = work()
    },
    async finish() {
      isOver = true
      await working
      return times
    },
  }
}
