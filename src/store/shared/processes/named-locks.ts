import type { KeyedLock } from '../../../domain/keyed-lock.ts'

/** Makes one lock per name: each call with the same name returns the same lock. */
export function namedLocks(make: (name: string) => KeyedLock): (name: string) => KeyedLock {
  const made = new Map<string, KeyedLock>()
  return (name) => {
    const lock = made.get(name) ?? make(name)
    made.set(name, lock)
    return lock
  }
}
