import type { EpochMs } from '../instant.ts'
import { EXTENDED_WORKING_DAYS, type LegalDays, legalCutoffOf, legalDeadlineOf, startOfDayOf } from '../working-days.ts'
import type { InvoiceStatus } from './invoice.ts'
import type { JournalEntry } from './journal.ts'
import type { Mode } from './sale.ts'

/** A time in which nothing reached the tax authority in a mode. */
export interface ConnectionBreak {
  mode: Mode
  /** When that was first noticed: the connection broke then or before. */
  from: EpochMs
  /** When it was reached again; null while it lasts. */
  until: EpochMs | null
  /** The ids of companies with five working days: equipment has to be replaced, or the provider is at fault. */
  extended: readonly string[]
}

type Unconfirmed = Pick<JournalEntry, 'mode' | 'companyId' | 'occurredAt'> & { status: InvoiceStatus }

export interface LegalDeadline {
  at: EpochMs
  days: LegalDays
  /** From whose first day it counts; undefined where it counts from the day of the sale. */
  broken: ConnectionBreak | undefined
}

const KEPT_MS = 31 * 86_400_000
/** The clocks of processes that share a database may differ. */
const SKEW_MS = 600_000

/**
 * The law counts the working days from the day on which the connection broke: the first break in which the sale was made.
 * Without one they count from its own day, as for a refused sale, which lacks its JIR for another reason.
 */
export function legalDeadlineIn(sale: Unconfirmed, breaks: readonly ConnectionBreak[]): LegalDeadline {
  const { status, occurredAt, companyId } = sale
  const broken = breaks.find(({ mode, from, until }) => {
    if (mode !== sale.mode || status === 'failed') return false
    return occurredAt >= startOfDayOf(from) && occurredAt <= (until ?? occurredAt)
  })
  const days = broken?.extended.includes(companyId) ? EXTENDED_WORKING_DAYS : 2
  return { at: legalDeadlineOf(Math.min(broken?.from ?? occurredAt, occurredAt), days), days, broken }
}

/** Only what was sold before this moment can be past its legal deadline. */
export function lateBefore(now: EpochMs, breaks: readonly ConnectionBreak[]): EpochMs {
  const over = breaks.filter(({ from }) => legalDeadlineOf(from) <= now)
  const ends = over.map(({ until }) => (until === null ? Number.POSITIVE_INFINITY : until + 1))
  return Math.max(legalCutoffOf(now), ...ends)
}

/** What came of contacting the tax authority in a mode. */
interface Reach {
  mode: Mode
  reached: boolean
  /** The first contact of those in a row that came to this, and the latest one. */
  since: EpochMs
  latest: EpochMs
  now: EpochMs
}

/**
 * The breaks after such contacts; undefined where nothing changes. It may be told again and again, and by processes that
 * share a database: a contact that is older than what another one noted changes nothing. Of breaks that end on their
 * first day only the latest is kept, for their sales count from that day anyway: so there is one more than midnights.
 */
export function breaksAfter(
  noted: readonly ConnectionBreak[],
  { mode, reached, since, latest, now }: Reach,
): ConnectionBreak[] | undefined {
  // What is in the future was noted by a clock that was ahead.
  const breaks = noted.filter((one) => one.mode !== mode || (one.until ?? one.from) <= now + SKEW_MS)
  const unchanged = breaks.length < noted.length ? breaks : undefined
  const open = breaks.find((one) => one.mode === mode && one.until === null)
  if ((open === undefined) === reached) return unchanged
  if (open) {
    if (latest < open.from) return unchanged
    const until = since < open.from ? latest : since
    return breaks.map((one) => (one === open ? { ...open, until } : one))
  }
  const answeredAt = Math.max(...breaks.map((one) => (one.mode === mode ? (one.until ?? 0) : 0)))
  if (latest <= answeredAt) return unchanged
  const isKept = (one: ConnectionBreak) => {
    if (one.until === null) return true
    const counts = one.mode !== mode || startOfDayOf(one.until) > one.from || one.extended.length > 0
    return counts && latest - one.until < KEPT_MS
  }
  return [...breaks.filter(isKept), { mode, from: since > answeredAt ? since : latest, until: null, extended: [] }]
}
