import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'

const EVERY_MS = 1000

/**
 * Checks every second whether a node is still the opened one: not every driver reports a pulled cable, and after
 * plugging in again the same name may be another device. @returns what stops the watch
 */
export function watchNode(path: string, opened: Stats, changed: (why: Error) => void): () => void {
  const timer = setInterval(async () => {
    const now = await stat(path).catch(() => undefined)
    if (now?.ino !== opened.ino || now.rdev !== opened.rdev) changed(new Error('The node is another one now.'))
  }, EVERY_MS).unref()
  return () => clearInterval(timer)
}
