import { Failure } from '../failure.ts'
import type { Entry } from './archive.ts'

/** Gathers the parts of a bundle: what cannot be had is written down instead, and nothing else suffers. */
export interface Collect {
  /** A file of the bundle; without a text nothing is told of it. */
  text(name: string, get: () => string | undefined | Promise<string | undefined>): Promise<void>
  /** Something that is only learnt. */
  names(what: string, learn: () => Promise<void>): Promise<void>
  readonly entries: Entry[]
  /** What is not there and why. */
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
