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

/** Answers that alternate between trusted and untrusted cause one alert: distrust ends it only when it has lasted. */
const DOUBT_PATIENCE_MS = 10 * 60_000

interface LateGroup extends InvoiceGroup {
  stages: Partial<Record<UnconfirmedStage, number>>
}

interface RefusedGroup extends InvoiceGroup {
  /** The restrictive codes of its invoices. */
  codes: Set<RestrictiveCode>
}

/**
 * Invoices that have lacked a JIR for long, and failed invoices by cause. Per company and mode, the oldest invoice
 * decides the stage; the counts of all stages are in the detail. Sales parked because of an untrusted JIR get a new
 * alert when answers are trusted again, because an operator must then send them; `may_send` in that alert tells whether
 * they still are.
 * @param elapsed a monotonic clock in milliseconds
 */
export function invoiceRule(
  store: Pick<StoreTransaction, 'companies' | 'invoices'>,
  { isBelieved }: Pick<AnswerTrust, 'isBelieved'>,
  elapsed: () => number,
): Rule {
  const patience = createLastingProblems(elapsed, { clearAfterMs: DOUBT_PATIENCE_MS })

  /** The alert kind of a cause, and additional details. */
  function tell(first: WaitingInvoice, subject: string, open: readonly Alert[]): [AlertKind, JsonObject] {
    if (first.errorCode !== UNPROVEN_JIR) return ['invoices_failed', {}]
    // After a start it is unknown until an answer comes, so the earlier alert decides.
    const may_send = isBelieved(first.mode) ?? maySend(open, first)
    const judgement = patience.judge(subject, may_send ? 'wrong' : 'right')
    const isTold = open.some((alert) => alert.kind === 'answers_believed' && alert.subject === subject)
    const goesOn = judgement === 'wrong' || (judgement === 'unclear' && isTold)
    return goesOn ? ['answers_believed', { may_send }] : ['invoices_failed', {}]
  }

  return {
    kinds: [...UNCONFIRMED, 'invoices_failed', 'answers_believed'],
    async look(now, open) {
      const { late, failed } = await groupInvoices(store, await store.invoices.queue(), now)
      const found: Finding[] = []
      for (const [subject, group] of late) {
        const kind = UNCONFIRMED.find((stage) => group.stages[stage] !== undefined)
        if (!kind) continue
        const { tenantId } = oldestOf(group)
        found.push({ tenantId, kind, subject, detail: { ...(await detailOf(store, group)), stages: group.stages } })
      }
      for (const [subject, group] of failed) {
        const first = oldestOf(group)
        const [kind, more] = tell(first, subject, open)
        const detail = {
          ...(await detailOf(store, group)),
          code: first.errorCode,
          ...more,
          ...(group.codes.size > 0 && { restrictive_codes: [...group.codes].sort((a, b) => a - b) }),
        }
        found.push({ tenantId: first.tenantId, kind, subject, detail })
      }
      patience.keepOnly(new Set(failed.keys()))
      return { found }
    },
  }
}

async function groupInvoices(
  store: Pick<StoreTransaction, 'invoices'>,
  queue: Queue,
  now: EpochMs,
): Promise<{ late: InvoiceGroups<LateGroup>; failed: InvoiceGroups<RefusedGroup> }> {
  const late: InvoiceGroups<LateGroup> = new Map()
  const failed: InvoiceGroups<RefusedGroup> = new Map()
  const legalCutoff = legalCutoffOf(now)
  const putLate = (invoice: WaitingInvoice) => {
    const stage = unconfirmedStage(invoice.occurredAt, now, legalCutoff)
    if (!stage) return
    const group = groupOf<LateGroup>(late, subjectOf(invoice), () => ({ ...emptyGroup(), stages: {} }))
    group.stages[stage] = (group.stages[stage] ?? 0) + 1
    addToGroup(group, invoice)
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
      const group = groupOf<RefusedGroup>(failed, subject, () => ({ ...emptyGroup(), codes: new Set() }))
      for (const code of restrictiveCodesIn(invoice.errorMessage)) group.codes.add(code)
      addToGroup(group, invoice)
    }
  }
  return { late, failed }
}
