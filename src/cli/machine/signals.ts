import { constants } from 'node:os'

/** With which a person or the system ends a command. */
export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Does the work; one of the usual signals meanwhile first runs `undo`, then ends the process as it would have. */
export async function undoneBySignals<T>(undo: () => void, work: () => Promise<T>): Promise<T> {
  const undoAndEnd = (signal: NodeJS.Signals) => {
    try {
      undo()
    } finally {
      process.exit(128 + constants.signals[signal])
    }
  }
  for (const signal of SIGNALS) process.once(signal, undoAndEnd)
  return work().finally(() => {
    for (const signal of SIGNALS) process.off(signal, undoAndEnd)
  })
}
