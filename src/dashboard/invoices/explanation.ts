import type { EpochMs } from '../../domain/instant.ts'
import { type Age, ageOf } from '../../domain/sale/invoice-age.ts'
import { restrictiveCodesIn } from '../../domain/sale/refusal.ts'
import { canBeConfirmed, explainCodes } from '../../domain/sale/restrictive-codes.ts'
import { legalDeadlineOf } from '../../domain/working-days.ts'
import type { InvoiceGateway } from '../../fiscal/office/search.ts'
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
  /** The words of the tax authority about it. */
  said: string | null
  /** What happens next, and what to do. */
  next: string[]
  /** Until when. */
  until: string[]
}

interface Told {
  invoice: Pick<
    Invoice,
    'status' | 'errorCode' | 'errorMessage' | 'occurredAt' | 'deadlineAt' | 'confirmedAt' | 'lateDelivery'
  >
  /** The one that has issued it; null for our own. */
  gateway: InvoiceGateway | null
  /** The latest words of the tax authority about it. */
  answer: string | null
}

interface Means {
  t: DetailTexts
  f: Formats
  now: EpochMs
  language: Language
}

export function explain({ invoice, gateway, answer }: Told, means: Means): Explanation {
  const { t, f, now, language } = means
  const { status, errorCode, errorMessage, occurredAt, deadlineAt, confirmedAt, lateDelivery } = invoice
  const kind = BADGES[status]
  const none = { kind, said: null, next: [], until: [] }
  const codes = restrictiveCodesIn(errorMessage)
  const explained = explainCodes(codes, language, 'office')
  const age = ageOf(occurredAt, now)
  const isTooLate = age === 'too_late' || now >= deadlineAt
  switch (status) {
    case 'confirmed':
      return {
        ...none,
        what: confirmedAt === null ? t.confirmed : t.confirmedAt(f.time(confirmedAt)),
        next: [lateDelivery ? t.nothingToDoLate : t.nothingToDo],
      }
    case 'pending':
      if (age === 'young' && gateway?.silentSince === undefined)
        return { ...none, what: t.pending, next: [t.pendingNext] }
      // A sale is under way for seconds: an older one is what a gateway reported before it fell silent.
      return {
        ...none,
        kind: 'warn',
        what: gateway === null ? t.pending : t.pendingLast,
        ...waiting(age, isTooLate, gateway, invoice, means),
      }
    case 'expired':
      return {
        ...none,
        what: t.expired(f.time(deadlineAt)),
        said: answer,
        next: [...explained.map(({ label, means: meaning }) => `${label}: ${meaning}`), t.expiredNext],
      }
    case 'retrying': {
      const isQueued = errorMessage === NOT_SENT_YET
      const isUrgent = isTooLate || age === 'day_28'
      return {
        kind: isUrgent ? 'bad' : kind,
        what: isQueued ? t.queued : t.retrying,
        said: isQueued ? null : answer,
        ...waiting(age, isTooLate, gateway, invoice, means),
      }
    }
    case 'failed': {
      const cause = errorCode === null ? t.unknownCause : t.causes[errorCode]
      const canBe = codes.every(canBeConfirmed) && !isTooLate
      return {
        kind,
        until: untilOf(invoice, isTooLate, means),
        what: cause.what,
        said: answer,
        next: [
          ...(isTooLate ? [] : urgencyOf(age, t)),
          ...explained.map(({ label, means: meaning, fix }) => `${label}: ${meaning} ${isTooLate ? '' : fix}`.trim()),
          // The codes say more of what to correct.
          ...(isTooLate || (explained.length > 0 && errorCode === 'upstream_rejected') ? [] : [cause.fix]),
          ...(canBe ? [t.failedNext] : []),
          ...(gateway?.silentSince === undefined ? [] : [t.silent(gateway.name, f.time(gateway.silentSince))]),
          isTooLate ? t.expiredNext : t.receiptIsGood,
        ],
      }
    }
  }
}

/** What to do about an invoice that is sent again by itself: by its age, and by who sends it. */
function waiting(
  age: Age,
  isTooLate: boolean,
  gateway: InvoiceGateway | null,
  invoice: Told['invoice'],
  means: Means,
): Pick<Explanation, 'next' | 'until'> {
  const { t, f } = means
  const until = untilOf(invoice, isTooLate, means)
  const isSilent = gateway?.silentSince !== undefined
  const sends = isSilent
    ? t.silent(gateway.name, f.time(gateway.silentSince ?? 0))
    : gateway === null
      ? t.sendsItself
      : t.sendsAtGateway(gateway.name)
  if (isTooLate) return { until, next: [...(isSilent ? [sends] : []), isSilent ? t.tooLateUnknown : t.expiredNext] }
  const sender = isSilent ? 'silent' : gateway === null ? 'own' : 'connected'
  const todo = age === 'young' ? t.todoInTime[sender] : t.todoLate[sender]
  return { until, next: [...urgencyOf(age, t), sends, todo, t.receiptIsGood] }
}

function urgencyOf(age: Age, t: DetailTexts): string[] {
  return age === 'day_25' || age === 'day_28' ? [t.urgency[age]] : []
}

function untilOf(
  { occurredAt, deadlineAt }: Pick<Invoice, 'occurredAt' | 'deadlineAt'>,
  isTooLate: boolean,
  { t, f, now }: Means,
): string[] {
  if (isTooLate) return [t.takenWas(f.time(deadlineAt))]
  const legal = legalDeadlineOf(occurredAt)
  // It ends with the day before: midnight belongs to the next one.
  const lastDay = f.date(legal - 1)
  return [now < legal ? t.legalUntil(lastDay) : t.legalOver(lastDay), t.takenUntil(f.time(deadlineAt))]
}
