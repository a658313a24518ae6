/** Something that happens, for those of this process who want to know: one part tells, others subscribe later. */
export interface Event<T> {
  tell(what: T): void
  on(listener: (what: T) => void): void
}

export function createEvent<T = void>(): Event<T> {
  const listeners = new Set<(what: T) => void>()
  return {
    tell(what) {
      for (const listener of listeners) listener(what)
    },
    on(listener) {
      listeners.add(listener)
    },
  }
}
