import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
const loaded = new Map<string, unknown>()

/** Loads a package when it is first needed, and waits for it: a daemon without a printer never pays for these. */
export function load<T>(name: string): T {
  if (!loaded.has(name)) loaded.set(name, require(name))
  return loaded.get(name) as T
}
