import { type EpochMs, formatInstant } from '../../domain/instant.ts'
import type { Both } from '../../domain/texts/both.ts'

/**
 * The state of the system clock: `behind` a stored time or the build time of fiskd, `off` from a clock that is right,
 * `jumped` since the start, or `unsynchronised` when neither a time server nor the tax authority has confirmed it.
 */
export type ClockStatus = 'ok' | 'behind' | 'off' | 'jumped' | 'unsynchronised'

export interface ClockState {
  status: ClockStatus
  /** Whether a request may be refused because of the clock. */
  trusted: boolean
  /** Whether it follows a time server; null when that is unknown. */
  synchronised: boolean | null
  /** The time is at least this; null when nothing is known. */
  newestKnownAt: EpochMs | null
  /** A moment that is proven to be past; null without any proof. */
  provenAt: EpochMs | null
  /** How far it is ahead of a time server or the tax authority; null before the first comparison. */
  offsetMs: number | null
  /** For people; null when the clock is well. */
  detail: Both | null
}

/** The state without a clock watch. */
export const UNWATCHED: ClockState = {
  status: 'ok',
  trusted: true,
  synchronised: null,
  newestKnownAt: null,
  provenAt: null,
  offsetMs: null,
  detail: null,
}

/** @param movedMs by how much the clock was moved since the start */
export function describeClock(state: Omit<ClockState, 'detail'>, shownAt: EpochMs, movedMs: number): Both | null {
  const { status, newestKnownAt, offsetMs } = state
  const ahead = offsetMs ?? 0
  switch (status) {
    case 'ok':
      return null
    case 'behind':
      return {
        en: `the clock shows ${minute(shownAt)}, but it is ${minute(newestKnownAt ?? 0)} or later`,
        hr: `sat pokazuje ${minute(shownAt)}, a sada je ${minute(newestKnownAt ?? 0)} ili kasnije`,
      }
    case 'off':
      return ahead > 0
        ? { en: `the clock is ${span(ahead).en} ahead`, hr: `sat ide ${span(ahead).hr} ispred točnog vremena` }
        : { en: `the clock is ${span(ahead).en} behind`, hr: `sat kasni ${span(ahead).hr}` }
    case 'jumped':
      return {
        en: `the clock was set ${span(movedMs).en} ${movedMs > 0 ? 'forward' : 'back'} while fiskd ran`,
        hr: `sat je tijekom rada pomaknut ${movedMs > 0 ? 'unaprijed' : 'unatrag'} (${span(movedMs).hr})`,
      }
    case 'unsynchronised':
      return unconfirmed(state)
  }
}

function unconfirmed({ synchronised, offsetMs }: Pick<ClockState, 'synchronised' | 'offsetMs'>): Both {
  const alone =
    synchronised === false
      ? { en: 'the clock follows no time server', hr: 'sat se ne usklađuje s poslužiteljem točnog vremena' }
      : {
          en: 'no time server is known to set the clock',
          hr: 'nije poznato usklađuje li se sat s poslužiteljem točnog vremena',
        }
  if (offsetMs === null)
    return {
      en: `${alone.en}, and the tax authority has not confirmed it yet`,
      hr: `${alone.hr}, a Porezna uprava još nije potvrdila vrijeme`,
    }
  const off = span(offsetMs)
  const isAhead = offsetMs > 0
  return {
    en: `${alone.en}, and it is ${off.en} ${isAhead ? 'ahead of' : 'behind'} that of the tax authority`,
    hr: `${alone.hr}, i ${isAhead ? `ide ${off.hr} ispred sata` : `kasni ${off.hr} za satom`} Porezne uprave`,
  }
}

/** A duration in its largest unit: `3 days`, `70 minutes`. */
export function span(ms: number): Both {
  const minutes = Math.round(Math.abs(ms) / 60_000)
  if (minutes < 120) return { en: `${minutes} minutes`, hr: `${minutes} min` }
  const hours = Math.round(minutes / 60)
  return hours < 48
    ? { en: `${hours} hours`, hr: `${hours} h` }
    : { en: `${Math.round(hours / 24)} days`, hr: `${Math.round(hours / 24)} d` }
}

/** In UTC, to the minute. */
const minute = (at: EpochMs): string => `${formatInstant(at).slice(0, 16).replace('T', ' ')} UTC`
