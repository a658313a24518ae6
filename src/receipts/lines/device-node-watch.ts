import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'

const EVERY_MS = 1000

/**
 * Looks every second whether a device node is still the one that was opened: not every driver tells its reader that the
 * cable is out, and after plugging in again the same name may be another device.
 * @returns what ends it
 */
export function watchNode(path: string, opened: Stats, changed: (why: Error) => void): () => void {
  const timer = setInterval(async () => {
    const now = await stat(path).catch(() => undefined)
    if (now?.ino !== opened.ino || now.rdev !== opened.rdev) changed(new Error('The node is another one now.'))
  }, EVERY_MS).unref()
  return () => clearInterval(timer)
}
