import type { Mood } from '../../machine/disk-mood.ts'

/** A way in which a memory card is bad, and what happens around it. */
export interface CardCase {
  name: string
  /** For the table. */
  what: string
  mood: Mood
  /** Options of its file system. */
  mount: string
  /** `cold`: the daemon is started anew on it, and nothing is in memory. `full`: another program fills it. */
  before?: 'cold' | 'full'
  /** How long machines sell on it, seconds. */
  seconds: number
  /** The current fails while it is bad; else it is put right before. */
  cutWhileBad?: boolean
  server?: boolean
  /** It lies, so what was answered may be gone: what must hold is said apart. */
  lies?: boolean
}

/** What Raspberry Pi OS and Debian say of the disk in /etc/fstab. */
const USUAL = 'errors=remount-ro'
const ON_AND_ON = 'errors=continue'

export const BAD_CARDS: readonly CardCase[] = [
  { name: 'read', what: 'errors on read', mood: { read: 'error' }, mount: USUAL, before: 'cold', seconds: 8 },
  { name: 'write', what: 'errors on write', mood: { write: 'error' }, mount: ON_AND_ON, seconds: 8 },
  { name: 'flush', what: 'errors on flush', mood: { flush: 'error' }, mount: ON_AND_ON, seconds: 8 },
  { name: 'read-only', what: 'turns read-only', mood: { write: 'readonly' }, mount: USUAL, seconds: 8 },
  { name: 'slow', what: 'takes 5 s per flush', mood: { flush: 5000 }, mount: USUAL, seconds: 75 },
  { name: 'full', what: 'is full', mood: {}, mount: USUAL, before: 'full', seconds: 6 },
  {
    name: 'lies',
    what: 'lies about flushes, then the power fails; no server',
    mood: { flush: 'lies' },
    mount: USUAL,
    seconds: 5,
    cutWhileBad: true,
    lies: true,
  },
  {
    name: 'lies-with-server',
    what: 'lies about flushes, then the power fails; with a central server',
    mood: { flush: 'lies' },
    mount: USUAL,
    seconds: 5,
    cutWhileBad: true,
    lies: true,
    server: true,
  },
]

/** Within a minute. */
export const SHORT_CARDS: readonly string[] = ['flush', 'lies-with-server']
