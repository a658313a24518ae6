/** Tells polls that wait that there may be something for them. */
export interface CommandBell {
  /** There is something for this gateway. */
  ring(gatewayId: string): void
  /**
   * Resolves when there may be something for the gateway, when so much time is over, or when nobody waits any more.
   * @returns whether it is worth another look
   */
  wait(gatewayId: string, ms: number, gone: AbortSignal): Promise<boolean>
  close(): void
}

/**
 * However many polls wait, one look each time tells all of them what other processes have added; none of them holds a
 * connection of the database meanwhile.
 * @param awaited the gateways that have something to do
 */
export function createCommandBell(awaited: () => Promise<string[]>, everyMs = 2_000): CommandBell {
  const waiting = new Map<string, Set<() => void>>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function ring(gatewayId: string): void {
    for (const go of [...(waiting.get(gatewayId) ?? [])]) go()
  }

  function look(): void {
    timer = setTimeout(async () => {
      // A database that does not answer is met by whoever asks next.
      for (const gatewayId of await awaited().catch(() => [])) ring(gatewayId)
      timer = undefined
      if (waiting.size > 0 && !isClosed) look()
    }, everyMs)
  }

  return {
    ring,
    wait(gatewayId, ms, gone) {
      if (isClosed || gone.aborted || ms <= 0) return Promise.resolve(false)
      return new Promise((resolve) => {
        const all = waiting.get(gatewayId) ?? new Set()
        const go = () => {
          clearTimeout(enough)
          gone.removeEventListener('abort', go)
          all.delete(go)
          if (all.size === 0 && waiting.get(gatewayId) === all) waiting.delete(gatewayId)
          resolve(!isClosed && !gone.aborted)
        }
        const enough = setTimeout(go, ms)
        gone.addEventListener('abort', go)
        waiting.set(gatewayId, all.add(go))
        if (!timer) look()
      })
    },
    close() {
      isClosed = true
      clearTimeout(timer)
      for (const gatewayId of [...waiting.keys()]) ring(gatewayId)
    },
  }
}
