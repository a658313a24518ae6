type Close = () => unknown

const steps: Close[] = []

/** Has something closed when the tests of this file are over; `afterAll` inside of `beforeAll` is never called. */
export function atTheEndOfFile(close: Close): void {
  steps.push(close)
}

/** The last one first. */
export async function endFile(): Promise<void> {
  while (steps.length > 0) await steps.pop()?.()
}
