/** Runs work one at a time per key, in order of arrival; different keys do not wait for each other. */
export interface KeyedLock {
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

export function createKeyedLock(): KeyedLock {
  const tails = new Map<string, Promise<unknown>>()
  return {
    async run(key, work) {
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
