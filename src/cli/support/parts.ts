import { Failure } from '../failure.ts'
import type { Entry } from './archive.ts'

export type Collect = ReturnType<typeof createCollect>

/** Collects the parts of a bundle. A part that cannot be read is listed as missing and does not stop the others. */
export function createCollect() {
  const entries: Entry[] = []
  const missing: string[] = []
  const unless = async (what: string, work: () => void | Promise<void>) => {
    try {
      await work()
    } catch (error) {
      missing.push(`${what}: ${error instanceof Failure ? error.body.error.message : (error as Error).message}`)
    }
  }
  return {
    entries,
    /** The missing parts, with the reasons. */
    missing,
    /** Runs work that adds no file. */
    names: unless,
    /** Adds a file to the bundle; a file without a text is listed as missing. */
    text: (name: string, get: () => string | undefined | Promise<string | undefined>) =>
      unless(name, async () => {
        const text = await get()
        if (text === undefined) missing.push(`${name}: this machine has nothing of the kind`)
        else entries.push({ name, text })
      }),
  }
}
