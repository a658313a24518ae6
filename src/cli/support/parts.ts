import { Failure } from '../failure.ts'
import type { Entry } from './archive.ts'

/** Collects the parts of a bundle. A part that cannot be read is listed as missing and does not stop the others. */
export interface Collect {
  /** Adds a file to the bundle; a file without a text is listed as missing. */
  text(name: string, get: () => string | undefined | Promise<string | undefined>): Promise<void>
  /** Runs `learn`, which adds no file. */
  names(what: string, learn: () => Promise<void>): Promise<void>
  readonly entries: Entry[]
  /** The missing parts, with the reasons. */
  readonly missing: string[]
}

export function createCollect(): Collect {
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
    missing,
    names: unless,
    text: (name, get) =>
      unless(name, async () => {
        const text = await get()
        if (text === undefined) missing.push(`${name}: this machine has nothing of the kind`)
        else entries.push({ name, text })
      }),
  }
}
