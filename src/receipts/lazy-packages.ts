import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const loaded = new Map<string, unknown>()

/** Loads a package synchronously at its first use, so that a daemon without a printer does not load it. */
export function load<T>(name: string): T {
  if (!loaded.has(name)) loaded.set(name, require(name))
  return loaded.get(name) as T
}
