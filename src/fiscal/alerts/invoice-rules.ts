import { type AlertKind, UNCONFIRMED, type UnconfirmedStage, unconfirmedStage } from '../../domain/alert.ts'
import { type EpochMs, formatInstant } from '../../domain/instant.ts'
import { type LegalDeadline, lateBefore, legalDeadlineIn } from '../../domain/sale/connection-break.ts'
import { deadlineOf, UNPROVEN_JIR } from '../../domain/sale/invoice.ts'
import { type RestrictiveCode, restrictiveCodesIn } from '../../domain/sale/refusal.ts'
import type { Alert } from '../ports/alerts.ts'
import type { JsonObject } from '../ports/model.ts'
import type { Queue, UnconfirmedStatus, WaitingInvoice } from '../ports/rows/sales.ts'
import type { StoreTransaction } from '../ports/store.ts'
import { type AnswerTrust, maySend } from '../sales/answer-trust.ts'
import { waitingOf } from '../sales/by-deadline.ts'
import type { Finding, Rule } from './alert-watch.ts'
import { createLastingProblems } from './lasting-problem.ts'

/** Answers that alternate between trusted and untrusted cause one alert: distrust ends it only when it has lasted. */
const DOUBT_PATIENCE_MS = 10 * 60_000

interface LateGroup extends InvoiceGroup {
  stages: Partial<Record<UnconfirmedStage, number>>
  /** Of the oldest of them that waits for the connection. */
  law?: LegalDeadline
}

interface RefusedGroup extends InvoiceGroup {
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
  store: StoreTransaction,
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
        const { stages, law } = group
        // What the deadline counts from.
        const counted = law?.broken && { since: formatInstant(law.broken.from), working_days: law.days }
        const detail = { ...(await detailOf(store, group)), stages, ...counted }
        found.push({ tenantId: oldestOf(group).tenantId, kind, subject, detail })
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
  store: StoreTransaction,
  queue: Queue,
  now: EpochMs,
): Promise<{ late: InvoiceGroups<LateGroup>; failed: InvoiceGroups<RefusedGroup> }> {
  const late: InvoiceGroups<LateGroup> = new Map()
  const failed: InvoiceGroups<RefusedGroup> = new Map()
  const breaks = await store.breaks.list()
  const putLate = (invoice: WaitingInvoice, status: UnconfirmedStatus) => {
    const law = legalDeadlineIn({ ...invoice, status }, breaks)
    const stage = unconfirmedStage(invoice.occurredAt, now, law.at)
    if (!stage) return
    const group = groupOf<LateGroup>(late, subjectOf(invoice), () => ({ ...emptyGroup(), stages: {} }))
    group.stages[stage] = (group.stages[stage] ?? 0) + 1
    if (law.broken) group.law ??= law
    addToGroup(group, invoice)
  }
  const before = deadlineOf(Math.min(lateBefore(now, breaks), now + 1))
  for (const status of ['pending', 'retrying'] as const) {
    if (queue[status] === 0) continue
    for await (const slice of waitingOf(store, status, { before })) {
      for (const invoice of slice) putLate(invoice, status)
    }
  }
  if (queue.failed === 0) return { late, failed }
  for await (const slice of waitingOf(store, 'failed')) {
    for (const invoice of slice) {
      putLate(invoice, 'failed')
      const subject = `${subjectOf(invoice)} ${invoice.errorCode ?? 'unknown'}`
      const group = groupOf<RefusedGroup>(failed, subject, () => ({ ...emptyGroup(), codes: new Set() }))
      for (const code of restrictiveCodesIn(invoice.errorMessage)) group.codes.add(code)
      addToGroup(group, invoice)
    }
  }
  return { late, failed }
}

const KIND = 'invoices_expired'

/**
 * Invoices that can never be confirmed. Such an alert stays until it is acknowledged; invoices that expire later raise
 * a new one. Expired invoices never become fewer, so their count shows whether there are new ones.
 */
export function expiredRule(store: StoreTransaction): Rule {
  let read: { count: number; groups: InvoiceGroups } = { count: 0, groups: new Map() }
  /** How many invoices earlier alerts covered, by subject. */
  const known = new Map<string, number>()

  async function groupsNow(): Promise<InvoiceGroups> {
    const { expired: count } = await store.invoices.queue()
    if (count === read.count) return read.groups
    const groups: InvoiceGroups = new Map()
    for await (const slice of waitingOf(store, 'expired')) {
      for (const invoice of slice) addToGroup(groupOf(groups, subjectOf(invoice), emptyGroup), invoice)
    }
    read = { count, groups }
    return groups
  }

  return {
    kinds: [KIND],
    async look(_now, open) {
      const found: Finding[] = []
      for (const [subject, group] of await groupsNow()) {
        const going = open.find((alert) => alert.subject === subject)
        const total = group.count
        if (!going && (known.get(subject) ?? -1) >= total) continue
        const { tenantId } = oldestOf(group)
        const said = await detailOf(store, group)
        const detail = (told: number) => ({ ...said, count: total - told, total, told })
        const ask = async (tx: StoreTransaction) => {
          const told = Number((await tx.alerts.latest(tenantId, KIND, subject))?.detail.total ?? 0)
          known.set(subject, told)
          return told >= total ? null : detail(told)
        }
        found.push({ tenantId, kind: KIND, subject, detail: detail(Number(going?.detail.told ?? 0)), ask })
      }
      return { found }
    },
  }
}

/** The invoices of one alert: of one company and mode. */
interface InvoiceGroup {
  count: number
  /** The oldest invoices in order, enough for a first look. */
  oldest: WaitingInvoice[]
}

/** Groups by the subject of their alert. */
type InvoiceGroups<H extends InvoiceGroup = InvoiceGroup> = Map<string, H>

const NAMED = 5

const subjectOf = ({ companyId, mode }: WaitingInvoice) => `${companyId} ${mode}`

const emptyGroup = (): InvoiceGroup => ({ count: 0, oldest: [] })

function addToGroup(group: InvoiceGroup, invoice: WaitingInvoice): void {
  group.count++
  const last = group.oldest.at(-1)
  if (group.oldest.length >= NAMED && last && invoice.occurredAt >= last.occurredAt) return
  group.oldest.push(invoice)
  group.oldest.sort((one, other) => one.occurredAt - other.occurredAt || (one.id < other.id ? -1 : 1))
  group.oldest.length = Math.min(group.oldest.length, NAMED)
}

function groupOf<H extends InvoiceGroup>(groups: InvoiceGroups<H>, subject: string, make: () => H): H {
  const group = groups.get(subject) ?? make()
  groups.set(subject, group)
  return group
}

function oldestOf({ oldest: [first] }: InvoiceGroup): WaitingInvoice {
  if (!first) throw new Error('an empty heap of invoices')
  return first
}

async function detailOf(store: StoreTransaction, group: InvoiceGroup): Promise<JsonObject> {
  const { companyId, mode, occurredAt, deadlineAt } = oldestOf(group)
  return {
    company: (await store.companies.get(companyId))?.name ?? companyId,
    company_id: companyId,
    mode,
    count: group.count,
    oldest_at: formatInstant(occurredAt),
    deadline_at: formatInstant(deadlineAt),
    invoices: group.oldest.map(({ id }) => id),
  }
}
