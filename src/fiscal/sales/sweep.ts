import { setImmediate } from 'node:timers/promises'
import { FiskError } from '../../domain/errors.ts'
import { isAnsweredUnproven, UNPROVEN_JIR } from '../../domain/sale/invoice.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { WatchedClock } from '../ports/clock.ts'
import type { WaitingInvoice } from '../ports/rows/sales.ts'
import type { InvoiceLock, Store } from '../ports/store.ts'
import type { TaxAuthority } from '../ports/tax-authority.ts'
import { severalAtOnce } from '../several-at-once.ts'
import { type DeadlinePosition, waitingOf } from './by-deadline.ts'
import type { LiveSales } from './live-sales.ts'
import { recoverPending } from './recover-pending.ts'
import { nothingAlong, type ReportFault, type Submitted, type Submitter } from './submit.ts'
import type { UnsentInvoices } from './unsent-invoices.ts'

export interface SweepDeps {
  store: Store
  authority: Pick<TaxAuthority, 'echo'>
  clock: { of(mode: Mode): Pick<WatchedClock, 'present'> }
  submitter: Pick<Submitter, 'resend'>
  waiting: UnsentInvoices
  invoiceLock: InvoiceLock
  liveSales: LiveSales
  /** How many messages are under way at once, once the tax authority was reached. */
  atOnce: number
  reportFault: ReportFault
}

export interface SweepResult {
  sent: number
  confirmed: number
  /** The tax authority was not reachable in some mode; its invoices wait for a later pass. */
  unreachable: boolean
}

/**
 * One pass over the invoices without a JIR, the earliest deadline first, each at most once; several at once on a server
 * on PostgreSQL, whose processes share them out by locks. Sales in progress go first. An echo asks first whether the tax
 * authority is reachable. The pass of a mode ends when two messages in a row do not reach it; the next pass then starts
 * after them, so that they do not block the others. Refused invoices and faults do not block the others either. An
 * invoice whose company has no valid certificate waits for the next pass, and one past its deadline is not sent. Invoices
 * whose last answer was not trusted come last. Two untrusted JIRs in a row end the pass, too.
 * @param heardFrom modes in which the tax authority has just answered, so no echo is needed
 */
export type Sweep = (signal: AbortSignal, heardFrom?: ReadonlySet<Mode>) => Promise<SweepResult>

/** Live first: a missing JIR of a live invoice can lead to a fine. */
const MODES: readonly Mode[] = ['live', 'test']

/**
 * Invoices whose last answer was not trusted come after all others. If these messages themselves cause the bad answers,
 * they do not delay the others, however many and however old they are.
 */
type Part = 'others' | 'unproven'

const partOf = (invoice: WaitingInvoice): Part => (isAnsweredUnproven(invoice) ? 'unproven' : 'others')

/** A part ends after this many unreachable messages in a row. */
const MISSES_THAT_END = 2
/** A higher limit than `MISSES_THAT_END`: a bad answer takes less time than no answer. */
const UNPROVEN_ANSWERS_THAT_END = 10
/** A pass ends after this many in a row. Each one parks an invoice, and the service may work again in the next pass. */
const UNPROVEN_JIRS_THAT_END = 2

const ONCE = { attempts: 1, along: nothingAlong }

/** What came of one invoice; a JIR that is not trusted is an answer, too. */
type SweepOutcome = 'not_sent' | 'confirmed' | 'refused' | 'unproven_jir' | 'unreached'

function outcomeOf(sent: Submitted | undefined): SweepOutcome {
  if (!sent) return 'not_sent'
  if (!sent.reached) return 'unreached'
  if (sent.outcome.kind === 'confirmed') return 'confirmed'
  return sent.invoice.errorCode === UNPROVEN_JIR ? 'unproven_jir' : 'refused'
}

/** Why a part of the queue ended: it is empty, too many misses in a row, or the whole pass is over. */
type End = 'empty' | 'missed' | 'pass_over'

/** What is known of the service of one mode, from its latest messages. */
interface Service {
  /** It has answered the latest message, or a sale just now. */
  answers: boolean
  /** It has confirmed the latest message. */
  confirms: boolean
}

interface Pass {
  mode: Mode
  result: SweepResult
  service: Service
  /** Invoices that were sent in this pass and still have no JIR. */
  tried: Set<string>
  /** Untrusted JIRs in a row. */
  unprovenJirs: number
  /** Whether fiskd stops, or the pass has to begin anew at the front of the queue. */
  isOver: () => boolean
}

export function createSweep(deps: SweepDeps): Sweep {
  const { store, authority, clock, submitter, waiting, invoiceLock, liveSales, atOnce, reportFault } = deps
  /** The last invoice of a part that ended with too many misses. */
  const stuckAt = new Map<`${Mode} ${Part}`, DeadlinePosition>()

  return async (signal, heardFrom = new Set()) => {
    const result: SweepResult = { sent: 0, confirmed: 0, unreachable: false }
    const { pending, retrying } = await store.invoices.queue()
    if (pending + retrying === 0) return result
    const services = MODES.map((mode) => ({ mode, service: { answers: heardFrom.has(mode), confirms: false } }))
    // Another process has left invoices at the front of the queue.
    let beginsAnew = true
    const ignoreRemovals = store.ownProcess.onRemoval(() => {
      beginsAnew = true
    })
    const isOver = () => signal.aborted || beginsAnew
    try {
      while (beginsAnew && !signal.aborted) {
        beginsAnew = false
        await recoverPending(store, invoiceLock)
        for (const { mode, service } of services) {
          await sweepMode({ mode, result, service, tried: new Set(), unprovenJirs: 0, isOver })
        }
      }
      return result
    } finally {
      ignoreRemovals()
    }
  }

  async function sweepMode(pass: Pass): Promise<void> {
    const { mode, result, service } = pass
    const [waits] = await store.invoices.byDeadline('retrying', 1, { mode })
    if (!waits || pass.isOver()) return
    if (!service.answers && !(await authority.echo(mode)).reachable) {
      result.unreachable = true
      return
    }
    const others = await sweepPart(pass, 'others', MISSES_THAT_END)
    if (others === 'pass_over') return
    // Not of the unproven part: its invoices do get answers, and each of those answers would start another pass.
    result.unreachable ||= others === 'missed'
    // Also after misses: two other invoices that never get an answer would otherwise block this part for good.
    await sweepPart(pass, 'unproven', others === 'missed' ? MISSES_THAT_END : UNPROVEN_ANSWERS_THAT_END)
  }

  /** @param mostMisses the part ends after this many misses in a row */
  async function sweepPart(pass: Pass, part: Part, mostMisses: number): Promise<End> {
    const { result, service, tried } = pass
    let end: End | undefined
    let misses = 0
    const messages = severalAtOnce(queueOf(pass, part), {
      // One message at a time shows whether the tax authority works; then there are more.
      most: () => (service.confirms ? atOnce : 1),
      pause: liveSales.quiet,
      isOver: () => end !== undefined || pass.isOver(),
      choose: (slice, most) => claim(slice, most),
      work: async (invoice) => ({ invoice, outcome: await send(invoice.id) }),
    })
    for await (const { invoice, outcome } of messages) {
      if (outcome === 'not_sent') continue
      result.sent++
      service.answers = outcome !== 'unreached'
      service.confirms = outcome === 'confirmed'
      if (!service.confirms) tried.add(invoice.id)
      switch (outcome) {
        case 'confirmed':
          result.confirmed++
          misses = pass.unprovenJirs = 0
          break
        case 'refused':
          misses = pass.unprovenJirs = 0
          break
        case 'unproven_jir':
          misses = 0
          if (++pass.unprovenJirs >= UNPROVEN_JIRS_THAT_END) end ??= 'pass_over'
          break
        case 'unreached':
          if (++misses < mostMisses || end) break
          end = 'missed'
          stuckAt.set(`${pass.mode} ${part}`, invoice)
      }
    }
    return end ?? (pass.isOver() ? 'pass_over' : 'empty')
  }

  /** A part of a mode's queue in order of deadlines, rotated to start after the position where the last pass stopped. */
  async function* queueOf({ mode, tried, isOver }: Pass, part: Part): AsyncGenerator<WaitingInvoice[]> {
    const start = stuckAt.get(`${mode} ${part}`)
    stuckAt.delete(`${mode} ${part}`)
    for (const range of start ? [{ after: start }, { upTo: start }] : [{}]) {
      // The queue may contain tens of thousands of invoices of the other part, so check per slice.
      for await (const slice of waitingOf(store, 'retrying', range)) {
        if (isOver()) return
        yield slice.filter((one) => one.mode === mode && partOf(one) === part && !tried.has(one.id) && !isOverdue(one))
      }
    }
  }

  /** By all that is known of the time it is past its deadline. It expires once that is proven, and would be refused now. */
  function isOverdue({ mode, deadlineAt }: WaitingInvoice): boolean {
    const { latest } = clock.of(mode).present()
    return Number.isFinite(latest) && latest > deadlineAt
  }

  /** Locks the first ones that no process sends. */
  async function claim(
    slice: WaitingInvoice[],
    most: number,
  ): Promise<[claimed: WaitingInvoice[], rest: WaitingInvoice[]]> {
    const ids = await invoiceLock.claim(
      slice.map(({ id }) => id),
      most,
    )
    const last = slice.findIndex(({ id }) => id === ids.at(-1))
    return [slice.filter(({ id }) => ids.includes(id)), ids.length < most ? [] : slice.slice(last + 1)]
  }

  async function send(invoiceId: string): Promise<SweepOutcome> {
    const sent = await waiting
      .withUnsentInvoice(invoiceId, async (invoice) => {
        // Another caller may have sent it since the queue was read, and failed invoices are not swept.
        if (invoice.status !== 'retrying') return undefined
        const identity = await waiting.identityOf(invoice)
        return identity instanceof FiskError ? undefined : submitter.resend(invoice, identity, ONCE)
      })
      .catch((error: unknown) => reportFault({ invoiceId, error }))
    // Without this pause, a long queue that cannot be signed would block the event loop.
    if (!sent) await setImmediate()
    return outcomeOf(sent ?? undefined)
  }
}
