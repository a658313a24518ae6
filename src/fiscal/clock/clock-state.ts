import { type EpochMs, formatInstant } from '../../domain/instant.ts'

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
  detail: string | null
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
export function describeClock(state: Omit<ClockState, 'detail'>, shownAt: EpochMs, movedMs: number): string | null {
  const { status, newestKnownAt, offsetMs } = state
  const ahead = offsetMs ?? 0
  switch (status) {
    case 'ok':
      return null
    case 'behind':
      return `the clock shows ${minute(shownAt)}, but it is ${minute(newestKnownAt ?? 0)} or later`
    case 'off':
      return `the clock is ${span(ahead)} ${ahead > 0 ? 'ahead' : 'behind'}`
    case 'jumped':
      return `the clock was set ${span(movedMs)} ${movedMs > 0 ? 'forward' : 'back'} while fiskd ran`
    case 'unsynchronised':
      return unconfirmed(state)
  }
}

function unconfirmed({ synchronised, offsetMs }: Pick<ClockState, 'synchronised' | 'offsetMs'>): string {
  const alone = synchronised === false ? 'the clock follows no time server' : 'no time server is known to set the clock'
  if (offsetMs === null) return `${alone}, and the tax authority has not confirmed it yet`
  return `${alone}, and it is ${span(offsetMs)} ${offsetMs > 0 ? 'ahead of' : 'behind'} that of the tax authority`
}

/** A duration in its largest unit: `3 days`, `70 minutes`. */
export function span(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000)
  if (minutes < 120) return `${minutes} minutes`
  const hours = Math.round(minutes / 60)
  return hours < 48 ? `${hours} hours` : `${Math.round(hours / 24)} days`
}

/** In UTC, to the minute. */
function minute(at: EpochMs): string {
  return `${formatInstant(at).slice(0, 16).replace('T', ' ')} UTC`
}
