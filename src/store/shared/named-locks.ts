import type { KeyedLock } from '../../domain/keyed-lock.ts'

/** Whoever asks for the lock of one name gets the same one. */
export function namedLocks(make: (name: string) => KeyedLock): (name: string) => KeyedLock {
  const made = new Map<string, KeyedLock>()
  return (name) => {
    const lock = made.get(name) ?? make(name)
    made.set(name, lock)
    return lock
  }
}
