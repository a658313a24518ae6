/** A request may take the line for so long. */
const REQUEST_S = 10
/** TCP, TLS and HTTP around a body. */
const AROUND = 600
/** What a poll with its heartbeat and answer amounts to. */
const POLL_BYTES = 2000

/** Keeps what is sent at a rate, on average: a metered link may not be filled. */
export type Throttle = ReturnType<typeof createThrottle>

/** @param kbps kilobits per second; null for no limit @param elapsed milliseconds that have passed */
export function createThrottle(kbps: number | null, elapsed: () => number) {
  let freeAt = 0
  let nextPollAt = 0
  return {
    /** So many bytes go out. */
    note(bytes: number): void {
      if (kbps === null) return
      freeAt = Math.max(freeAt, elapsed()) + ((bytes + AROUND) * 8) / kbps
    },
    /** How long nothing more may be sent, milliseconds. */
    debtMs: (): number => Math.max(0, freeAt - elapsed()),
    /** How much one request may send, so that none takes the line for long; null without a limit. */
    mostBytes: kbps === null ? null : kbps * 125 * REQUEST_S,
    /** How long the next poll should wait, so that polls take no more than a tenth, milliseconds. */
    untilPollMs(): number {
      if (kbps === null) return 0
      const wait = Math.max(0, nextPollAt - elapsed())
      nextPollAt = elapsed() + wait + (POLL_BYTES * 8 * 10) / kbps
      return wait
    },
  }
}
