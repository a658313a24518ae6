import { setTimeout } from 'node:timers/promises'
import { type DiskRequest, NBD_ERRORS } from './nbd.ts'

/** How a bad card serves a kind of request; a number: it takes so many milliseconds longer. */
export interface Mood {
  read?: 'error' | number
  write?: 'error' | 'readonly' | number
  /** `lies`: it says that it has flushed, and has not. */
  flush?: 'error' | 'lies' | number
}

/** Waits as the mood says. @returns what the card does instead of serving the request; null when it serves it */
export async function troubleOf(
  { kind }: Pick<DiskRequest, 'kind'>,
  mood: Mood,
): Promise<{ error: number } | 'lies' | null> {
  const how = mood[kind]
  if (how === undefined) return null
  if (typeof how === 'number') {
    await setTimeout(how)
    return null
  }
  if (how === 'lies') return 'lies'
  return { error: how === 'readonly' ? NBD_ERRORS.readOnly : NBD_ERRORS.io }
}
