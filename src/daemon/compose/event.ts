/** Something that happens, for those of this process who want to know: one part tells, others subscribe later. */
export function createEvent<T = void>() {
  const listeners = new Set<(what: T) => void>()
  return {
    tell(what: T): void {
      for (const listener of listeners) listener(what)
    },
    on(listener: (what: T) => void): void {
      listeners.add(listener)
    },
  }
}
