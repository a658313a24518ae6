import { type AlertKind, UNCONFIRMED, type UnconfirmedStage, unconfirmedStage } from '../../domain/alert.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { deadlineOf, UNPROVEN_JIR } from '../../domain/sale/invoice.ts'
import { restrictiveCodesIn } from '../../domain/sale/refusal.ts'
import type { RestrictiveCode } from '../../domain/sale/restrictive-codes.ts'
import { legalCutoffOf } from '../../domain/working-days.ts'
import type { Alert } from '../ports/alerts.ts'
import type { JsonObject } from '../ports/model.ts'
import type { Queue, WaitingInvoice } from '../ports/rows/sales.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { type AnswerTrust, maySend } from '../sales/answer-trust.ts'
import { waitingOf } from '../sales/by-deadline.ts'
import type { Finding, Rule } from './alert-watch.ts'
import {
  addToGroup,
  detailOf,
  emptyGroup,
  groupOf,
  type InvoiceGroup,
  type InvoiceGroups,
  oldestOf,
  subjectOf,
} from './invoice-groups.ts'
import { createLastingProblems } from './lasting-problem.ts'

/** Answers that are believed and doubted by turns are one alert: doubt ends it, and begins another, when it has lasted. */
const DOUBT_PATIENCE_MS = 10 * 60_000

interface LateHeap extends InvoiceGroup {
  stages: Partial<Record<UnconfirmedStage, number>>
}

interface RefusedHeap extends InvoiceGroup {
  /** The restrictive codes that its invoices were refused with. */
  codes: Set<RestrictiveCode>
}

/**
 * What lacks its JIR for long, and what was refused, by its cause. Of each company and mode the oldest invoice says which
 * stage is told; how many there are of the others stands beside it. What was parked because a JIR could not be believed
 * is told anew when answers are believed again, for then somebody has to send it; `may_send` in that alert says whether
 * they still are.
 * @param elapsed milliseconds that have passed, whatever is done to the clock
 */
export function invoiceRule(
  store: Pick<StoreTransaction, 'companies' | 'invoices'>,
  { isBelieved }: Pick<AnswerTrust, 'isBelieved'>,
  elapsed: () => number,
): Rule {
  const patience = createLastingProblems(elapsed, { clearAfterMs: DOUBT_PATIENCE_MS })

  /** How a cause is told, and what stands beside it in the alert. */
  function tell(first: WaitingInvoice, subject: string, open: readonly Alert[]): [AlertKind, JsonObject] {
    if (first.errorCode !== UNPROVEN_JIR) return ['invoices_failed', {}]
    // After a start nobody knows until an answer comes: what was told before holds.
    const may_send = isBelieved(first.mode) ?? maySend(open, first)
    const judgement = patience.judge(subject, may_send ? 'wrong' : 'right')
    const isTold = open.some((alert) => alert.kind === 'answers_believed' && alert.subject === subject)
    const goesOn = judgement === 'wrong' || (judgement === 'unclear' && isTold)
    return goesOn ? ['answers_believed', { may_send }] : ['invoices_failed', {}]
  }

  return {
    kinds: [...UNCONFIRMED, 'invoices_failed', 'answers_believed'],
    async look(now, open) {
      const { late, failed } = await pile(store, await store.invoices.queue(), now)
      const found: Finding[] = []
      for (const [subject, heap] of late) {
        const kind = UNCONFIRMED.find((stage) => heap.stages[stage] !== undefined)
        if (!kind) continue
        const { tenantId } = oldestOf(heap)
        found.push({ tenantId, kind, subject, detail: { ...(await detailOf(store, heap)), stages: heap.stages } })
      }
      for (const [subject, heap] of failed) {
        const first = oldestOf(heap)
        const [kind, more] = tell(first, subject, open)
        const detail = {
          ...(await detailOf(store, heap)),
          code: first.errorCode,
          ...more,
          ...(heap.codes.size > 0 && { restrictive_codes: [...heap.codes].sort((a, b) => a - b) }),
        }
        found.push({ tenantId: first.tenantId, kind, subject, detail })
      }
      patience.keepOnly(new Set(failed.keys()))
      return { found }
    },
  }
}

async function pile(
  store: Pick<StoreTransaction, 'invoices'>,
  queue: Queue,
  now: EpochMs,
): Promise<{ late: InvoiceGroups<LateHeap>; failed: InvoiceGroups<RefusedHeap> }> {
  const late: InvoiceGroups<LateHeap> = new Map()
  const failed: InvoiceGroups<RefusedHeap> = new Map()
  const legalCutoff = legalCutoffOf(now)
  const putLate = (invoice: WaitingInvoice) => {
    const stage = unconfirmedStage(invoice.occurredAt, now, legalCutoff)
    if (!stage) return
    const heap = groupOf<LateHeap>(late, subjectOf(invoice), () => ({ ...emptyGroup(), stages: {} }))
    heap.stages[stage] = (heap.stages[stage] ?? 0) + 1
    addToGroup(heap, invoice)
  }
  for (const status of ['pending', 'retrying'] as const) {
    if (queue[status] === 0) continue
    for await (const slice of waitingOf(store, status, { before: deadlineOf(legalCutoff) })) slice.forEach(putLate)
  }
  if (queue.failed === 0) return { late, failed }
  for await (const slice of waitingOf(store, 'failed')) {
    for (const invoice of slice) {
      putLate(invoice)
      const subject = `${subjectOf(invoice)} ${invoice.errorCode ?? 'unknown'}`
      const heap = groupOf<RefusedHeap>(failed, subject, () => ({ ...emptyGroup(), codes: new Set() }))
      for (const code of restrictiveCodesIn(invoice.errorMessage)) heap.codes.add(code)
      addToGroup(heap, invoice)
    }
  }
  return { late, failed }
}
