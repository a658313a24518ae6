import { setTimeout } from 'node:timers/promises'

export interface ServerFirstDeps {
  isEnrolled: () => Promise<boolean>
  /** Milliseconds that have passed, whatever is done to the clock. */
  elapsed: () => number
  patienceMs?: number
}

/**
 * A server on the same continent answers within a fraction of this, but a weak machine is busy at its start. With the two
 * attempts at the tax authority (9 s) a sale still ends within the 15 s that clients are told to wait.
 */
const PATIENCE_MS = 5000

/**
 * Lets a process's first numbers wait until the central server has told what it has seen: after a power cut a card that
 * confirms writes which it has not made leaves an older database, whose numbers would be given out again. But a machine
 * sells without the server.
 */
export function createServerFirst({ isEnrolled, elapsed, patienceMs = PATIENCE_MS }: ServerFirstDeps) {
  let until: number | undefined
  let isAnswered = false
  let tell = () => {}
  const answer = new Promise<void>((resolve) => {
    tell = resolve
  })
  const begin = () => {
    until ??= elapsed() + patienceMs
    return until
  }
  return {
    begin,
    /** The server has answered: its numbers are taken out of use. */
    answered(): void {
      isAnswered = true
      tell()
    },
    /** Resolves when a number may be given out. */
    async beforeNumber(): Promise<void> {
      if (isAnswered) return
      const leftMs = begin() - elapsed()
      if (leftMs <= 0 || !(await isEnrolled())) return
      const over = new AbortController()
      await Promise.race([answer, setTimeout(leftMs, undefined, { signal: over.signal }).catch(() => {})])
      over.abort()
    },
  }
}
