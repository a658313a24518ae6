/** Runs work one at a time per key, in order of arrival; different keys do not wait for each other. */
export type KeyedLock = ReturnType<typeof createKeyedLock>

/** A lock for one process. */
export function createKeyedLock() {
  const tails = new Map<string, Promise<unknown>>()
  return {
    /** Whether work runs or waits under this key. */
    isHeld: async (key: string): Promise<boolean> => tails.has(key),
    async run<T>(key: string, work: () => Promise<T>): Promise<T> {
      const turn = (tails.get(key) ?? Promise.resolve()).then(work, work)
      tails.set(key, turn)
      try {
        return await turn
      } finally {
        if (tails.get(key) === turn) tails.delete(key)
      }
    },
  }
}

/** The keys under which no work runs or waits. */
export async function freeOf(lock: KeyedLock, keys: readonly string[]): Promise<string[]> {
  const free: string[] = []
  for (const key of keys) if (!(await lock.isHeld(key))) free.push(key)
  return free
}
