/**
 * Tells polls that wait that there may be something for them. One query per interval finds the commands that other
 * processes have added, for all waiting polls together; a waiting poll holds no database connection.
 * @param awaited returns the gateways that have commands to do
 */
export function createCommandBell(awaited: () => Promise<string[]>, everyMs = 2_000) {
  const waiting = new Map<string, Set<() => void>>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function ring(gatewayId: string): void {
    for (const go of [...(waiting.get(gatewayId) ?? [])]) go()
  }

  function look(): void {
    timer = setTimeout(async () => {
      // If the database does not answer, the next request reports it.
      for (const gatewayId of await awaited().catch(() => [])) ring(gatewayId)
      timer = undefined
      if (waiting.size > 0 && !isClosed) look()
    }, everyMs)
  }

  return {
    ring,
    /** Resolves when there may be a command, after `ms`, or when `gone` is aborted. @returns whether to look again */
    wait(gatewayId: string, ms: number, gone: AbortSignal): Promise<boolean> {
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
    close(): void {
      isClosed = true
      clearTimeout(timer)
      for (const gatewayId of [...waiting.keys()]) ring(gatewayId)
    },
  }
}
