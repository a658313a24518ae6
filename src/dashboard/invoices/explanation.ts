import type { EpochMs } from '../../domain/instant.ts'
import { restrictiveCodesIn } from '../../domain/sale/refusal.ts'
import { canBeConfirmed, explainCodes } from '../../domain/sale/restrictive-codes.ts'
import { legalDeadlineOf } from '../../domain/working-days.ts'
import type { Invoice, Language } from '../../fiscal/ports/model.ts'
import { NOT_SENT_YET } from '../../fiscal/sales/requeue-failed.ts'
import type { Formats } from '../formats.ts'
import type { DetailTexts } from './detail-texts.ts'
import { BADGES } from './list-view.ts'

/** The state of an invoice for readers who have never heard of a JIR. */
export interface Explanation {
  kind: 'ok' | 'warn' | 'bad' | 'plain'
  /** What has happened. */
  what: string
  /** The message of the tax authority, or of another service that refused the invoice. */
  said: string | null
  /** What happens next, and what to do. */
  next: string[]
  /** Until when. */
  until: string[]
}

interface Told {
  invoice: Invoice
  /** The name of the one that has issued it; null for our own. */
  gateway: string | null
  /** The latest words of the tax authority about it. */
  answer: string | null
}

export function explain(
  { invoice, gateway, answer }: Told,
  { t, f, now, language }: { t: DetailTexts; f: Formats; now: EpochMs; language: Language },
): Explanation {
  const { status, errorCode, errorMessage, occurredAt, deadlineAt, confirmedAt, lateDelivery } = invoice
  const kind = BADGES[status]
  const none = { kind, said: null, next: [], until: [] }
  const codes = restrictiveCodesIn(errorMessage)
  const explained = explainCodes(codes, language)
  const until = untilOf(occurredAt, deadlineAt, { t, f, now })
  switch (status) {
    case 'confirmed':
      return {
        ...none,
        what: confirmedAt === null ? t.confirmed : t.confirmedAt(f.time(confirmedAt)),
        next: [lateDelivery ? t.nothingToDoLate : t.nothingToDo],
      }
    case 'pending':
      return { ...none, what: t.pending, next: [t.pendingNext] }
    case 'expired':
      return {
        ...none,
        what: t.expired(f.time(deadlineAt)),
        said: answer,
        next: [...explained.map(({ label, means }) => `${label}: ${means}`), t.expiredNext],
      }
    case 'retrying': {
      const isQueued = errorMessage === NOT_SENT_YET
      return {
        kind,
        until,
        what: isQueued ? t.queued : t.retrying,
        said: isQueued ? null : answer,
        next: [gateway === null ? t.retryingNext : t.retryingAtGateway(gateway), t.receiptIsGood],
      }
    }
    case 'failed': {
      const cause = errorCode === null ? t.unknownCause : t.causes[errorCode]
      return {
        kind,
        until,
        what: cause.what,
        said: answer,
        next: [
          ...explained.map(({ label, means, fix }) => `${label}: ${means} ${fix}`),
          // The codes say more of what to correct.
          ...(explained.length > 0 && errorCode === 'upstream_rejected' ? [] : [cause.fix]),
          ...(codes.every(canBeConfirmed) ? [t.failedNext] : []),
          t.receiptIsGood,
        ],
      }
    }
  }
}

function untilOf(
  occurredAt: EpochMs,
  deadlineAt: EpochMs,
  { t, f, now }: { t: DetailTexts; f: Formats; now: EpochMs },
): string[] {
  const legal = legalDeadlineOf(occurredAt)
  // It ends with the day before: midnight belongs to the next one.
  const lastDay = f.date(legal - 1)
  return [now < legal ? t.legalUntil(lastDay) : t.legalOver(lastDay), t.takenUntil(f.time(deadlineAt))]
}
