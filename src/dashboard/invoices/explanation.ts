import type { EpochMs } from '../../domain/instant.ts'
import { type ConnectionBreak, type LegalDeadline, legalDeadlineIn } from '../../domain/sale/connection-break.ts'
import { type Age, ageOf } from '../../domain/sale/invoice-age.ts'
import { canBeConfirmed, explainCodes, restrictiveCodesIn } from '../../domain/sale/refusal.ts'
import type { InvoiceGateway } from '../../fiscal/office/search.ts'
import type { Invoice } from '../../fiscal/ports/model.ts'
import { NOT_SENT_YET } from '../../fiscal/sales/requeue-failed.ts'
import type { PageContext } from '../page-routes.ts'
import type { DetailTexts } from './detail-texts.ts'
import { failedTexts } from './failed-texts.ts'
import { BADGES } from './list-view.ts'

interface Told {
  invoice: Invoice
  hasFindings: boolean
  /** The one that has issued it; null for our own. */
  gateway: InvoiceGateway | null
  /** The latest words of the tax authority about it. */
  answer: string | null
  /** When the connection to the tax authority was broken at the machine that issued it. */
  breaks: readonly ConnectionBreak[]
}

type Means = Pick<PageContext, 'f' | 'language'> & { t: DetailTexts; now: EpochMs }

/**
 * The state of an invoice for readers who have never heard of a JIR: what has happened, what the tax authority said about
 * it, what happens next and what to do, and until when.
 */
export function explain({ invoice, hasFindings, gateway, answer, breaks }: Told, means: Means) {
  const { t, f, now, language } = means
  const { status, errorCode, errorMessage, occurredAt, deadlineAt, confirmedAt, lateDelivery } = invoice
  const kind = BADGES[status]
  const none = { kind, said: null, next: [], until: [] }
  const codes = restrictiveCodesIn(errorMessage)
  const explained = explainCodes(codes, language, 'office')
  const law = legalDeadlineIn(invoice, breaks)
  const age = ageOf(occurredAt, now)
  const isTooLate = age === 'too_late' || now >= deadlineAt
  const until = untilOf(deadlineAt, isTooLate, law, means)
  const next = () => nextOf(now < law.at, age, isTooLate, gateway, means)
  switch (status) {
    case 'confirmed':
      return {
        ...none,
        what: confirmedAt === null ? t.confirmed : t.confirmedAt(f.inText(confirmedAt)),
        next: [hasFindings ? t.nothingToSend : lateDelivery ? t.nothingToDoLate : t.nothingToDo],
      }
    case 'pending':
      if (age === 'young' && gateway?.silentSince === undefined)
        return { ...none, what: t.pending, next: [t.pendingNext] }
      // A sale is under way for seconds: an older one is what a gateway reported before it fell silent.
      return {
        ...none,
        kind: 'warn',
        what: gateway === null ? t.pending : t.pendingLast,
        until,
        next: next(),
      }
    case 'expired':
      return {
        ...none,
        what: t.expired(f.inText(deadlineAt)),
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
        until,
        next: next(),
      }
    }
    case 'failed': {
      const cause = failedTexts[language].causes[errorCode ?? 'unknown']
      const canBe = codes.every(canBeConfirmed) && !isTooLate
      return {
        kind,
        until,
        what: cause.what,
        said: answer,
        next: [
          ...(isTooLate ? [] : urgencyOf(age, t)),
          ...explained.map(({ label, means: meaning, fix }) => `${label}: ${meaning} ${isTooLate ? '' : fix}`.trim()),
          // The codes say more of what to correct.
          ...(isTooLate || (explained.length > 0 && errorCode === 'upstream_rejected') ? [] : [cause.fix]),
          ...(canBe ? [t.failedNext] : []),
          ...(gateway?.silentSince === undefined ? [] : [t.silent(gateway.name, f.inText(gateway.silentSince))]),
          isTooLate ? t.expiredNext : t.receiptIsGood,
        ],
      }
    }
  }
}

/** What to do about an invoice that is sent again by itself: by its age, and by who sends it. */
function nextOf(
  isInTime: boolean,
  age: Age,
  isTooLate: boolean,
  gateway: InvoiceGateway | null,
  { t, f }: Means,
): string[] {
  const isSilent = gateway?.silentSince !== undefined
  const sends = isSilent
    ? t.silent(gateway.name, f.inText(gateway.silentSince ?? 0))
    : gateway === null
      ? t.sendsItself
      : t.sendsAtGateway(gateway.name)
  if (isTooLate) return [...(isSilent ? [sends] : []), isSilent ? t.tooLateUnknown : t.expiredNext]
  const sender = isSilent ? 'silent' : gateway === null ? 'own' : 'connected'
  const todo = isInTime ? t.todoInTime[sender] : t.todoLate[sender]
  return [...urgencyOf(age, t), sends, todo, t.receiptIsGood]
}

const urgencyOf = (age: Age, t: DetailTexts): string[] => (age === 'day_25' || age === 'day_28' ? [t.urgency[age]] : [])

function untilOf(deadlineAt: EpochMs, isTooLate: boolean, law: LegalDeadline, { t, f, now }: Means): string[] {
  if (isTooLate) return [t.takenWas(f.inText(deadlineAt))]
  const days = t.legalDays[law.days]
  // It ends with the day before: midnight belongs to the next one.
  const lastDay = f.date(law.at - 1)
  return [
    now < law.at ? t.legalUntil(lastDay, days) : t.legalOver(lastDay, days),
    ...(law.broken ? [t.legalSince(f.date(law.broken.from))] : []),
    t.takenUntil(f.inText(deadlineAt)),
  ]
}
