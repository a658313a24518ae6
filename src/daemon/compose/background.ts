export interface BackgroundPart {
  start?(): void
  /** Begins nothing more. */
  stop?(): void
  /** Resolves when nothing goes on any more. */
  close?(): Promise<void>
}

/** They start one after another, and stop and close the other way round: nothing ends before its users. */
export function inOrder(parts: readonly (BackgroundPart | null)[]) {
  const users = parts.toReversed()
  return {
    start() {
      for (const part of parts) part?.start?.()
    },
    stop() {
      for (const part of users) part?.stop?.()
    },
    async close(): Promise<void> {
      for (const part of users) await part?.close?.()
    },
  }
}
