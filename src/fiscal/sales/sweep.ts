import { setImmediate } from 'node:timers/promises'
import { FiskError } from '../../domain/errors.ts'
import { isAnsweredUnproven, UNPROVEN_JIR } from '../../domain/sale/invoice.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { InvoiceLock } from '../ports/invoice-lock.ts'
import type { WaitingInvoice } from '../ports/rows/sales.ts'
import type { Store } from '../ports/store.ts'
import type { TaxAuthority } from '../ports/tax-authority.ts'
import { type Place, waitingOf } from './by-deadline.ts'
import type { LiveSales } from './live-sales.ts'
import { recoverPending } from './recover-pending.ts'
import type { ReportFault, Submitted, Submitter } from './submit.ts'
import type { UnsentInvoices } from './unsent-invoices.ts'

export interface SweepDeps {
  store: Pick<Store, 'invoices' | 'ownProcess' | 'transaction'>
  authority: TaxAuthority
  submitter: Submitter
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
 * invoice whose company has no valid certificate waits for the next pass. Invoices whose last answer was not trusted
 * come last. Two untrusted JIRs in a row end the pass, too.
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

/** The pass over one mode. */
interface Pass {
  mode: Mode
  signal: AbortSignal
  result: SweepResult
  /** Invoices that were sent in this pass and still have no JIR. */
  tried: Set<string>
  /** Untrusted JIRs in a row. */
  unprovenJirs: number
  /** Modes in which the tax authority has just answered. */
  heard: Set<Mode>
  /** Modes whose latest message was confirmed. */
  well: Set<Mode>
  /** Whether the pass has to begin anew at the front of the queue, with what another process has left there. */
  isOver: () => boolean
}

/** How a part ended: all invoices tried, too many misses in a row, or the whole pass is over. */
type End = 'done' | 'missed' | 'pass_over'

export function createSweep(deps: SweepDeps): Sweep {
  const { store, authority, submitter, waiting, invoiceLock, liveSales, atOnce, reportFault } = deps
  /** The last invoice of a part that ended with too many misses. */
  const stuckAt = new Map<`${Mode} ${Part}`, Place>()

  /** @returns undefined when nothing was sent */
  async function sendOne(invoiceId: string): Promise<Submitted | undefined> {
    try {
      return await waiting.withUnsentInvoice(invoiceId, async (invoice) => {
        // Another caller may have sent it since the queue was read, and failed invoices are not swept.
        if (invoice.status !== 'retrying') return undefined
        const identity = await waiting.identityOf(invoice)
        return identity instanceof FiskError ? undefined : submitter.resend(invoice, identity, { attempts: 1 })
      })
    } catch (error) {
      reportFault({ invoiceId, error })
      return undefined
    }
  }

  /** A part of a mode's queue in order of deadlines, rotated to start after the place where the last pass stopped. */
  async function* slicesOf({ mode, signal, tried }: Pass, part: Part): AsyncGenerator<WaitingInvoice[]> {
    const start = stuckAt.get(`${mode} ${part}`)
    stuckAt.delete(`${mode} ${part}`)
    for (const [after, until] of start
      ? [
          [start, undefined],
          [undefined, start],
        ]
      : [[undefined, undefined]]) {
      // The queue may contain tens of thousands of invoices of the other part, so check the signal per slice.
      for await (const slice of waitingOf(store, 'retrying', { after })) {
        if (signal.aborted) return
        yield slice.filter(
          (invoice) =>
            invoice.mode === mode &&
            partOf(invoice) === part &&
            !(until && isBehind(invoice, until)) &&
            !tried.has(invoice.id),
        )
        const last = slice.at(-1)
        if (until && last && isBehind(last, until)) break
      }
    }
  }

  async function sweepMode(
    mode: Mode,
    { result, signal, heard, well, isOver }: Pick<Pass, 'result' | 'signal' | 'heard' | 'well' | 'isOver'>,
  ): Promise<void> {
    const [waits] = await store.invoices.byDeadline('retrying', 1, { mode })
    if (!waits || signal.aborted) return
    if (!heard.has(mode) && !(await authority.echo(mode)).reachable) {
      result.unreachable = true
      return
    }
    const pass = { mode, signal, result, heard, well, isOver, tried: new Set<string>(), unprovenJirs: 0 }
    const others = await sweepPart(pass, 'others', MISSES_THAT_END)
    if (others === 'pass_over') return
    // The result of the unproven part does not count here: its invoices do get answers, and each of those answers would
    // start another pass.
    result.unreachable ||= others === 'missed'
    // Try some of the unproven part even after misses: otherwise two other invoices that never get an answer would
    // block it permanently.
    await sweepPart(pass, 'unproven', others === 'missed' ? MISSES_THAT_END : UNPROVEN_ANSWERS_THAT_END)
  }

  /** @param mostMisses the part ends after this many misses in a row */
  async function sweepPart(pass: Pass, part: Part, mostMisses: number): Promise<End> {
    const { mode, signal, result, heard, well, tried } = pass
    const underWay = new Set<Promise<void>>()
    let end: End = 'done'
    let misses = 0
    /** One message at a time shows whether the tax authority works; then there are more. */
    const most = () => (well.has(mode) ? atOnce : 1)

    async function sendNext(invoice: WaitingInvoice): Promise<void> {
      const sent = await sendOne(invoice.id)
      // Nothing was awaited. Without this pause, a long queue that cannot be signed would block the event loop.
      if (!sent) return setImmediate()
      result.sent++
      if (sent.outcome.kind === 'confirmed') {
        result.confirmed++
        well.add(mode)
      } else {
        tried.add(invoice.id)
        well.delete(mode)
      }
      misses = sent.reached ? 0 : misses + 1
      if (sent.reached) heard.add(mode)
      else heard.delete(mode)
      if (sent.invoice.errorCode === UNPROVEN_JIR) pass.unprovenJirs++
      else if (sent.reached) pass.unprovenJirs = 0
      if (end !== 'done') return
      if (pass.unprovenJirs >= UNPROVEN_JIRS_THAT_END) end = 'pass_over'
      else if (misses >= mostMisses) {
        stuckAt.set(`${mode} ${part}`, invoice)
        end = 'missed'
      }
    }

    try {
      for await (const slice of slicesOf(pass, part)) {
        for (let left = slice; left.length > 0 && end === 'done'; ) {
          if (underWay.size >= most()) {
            await Promise.race(underWay)
            continue
          }
          await liveSales.quiet()
          if (signal.aborted || pass.isOver()) end = 'pass_over'
          if (end !== 'done') break
          const wanted = most() - underWay.size
          const ids = await invoiceLock.claim(
            left.map(({ id }) => id),
            wanted,
          )
          const last = left.findIndex(({ id }) => id === ids.at(-1))
          for (const invoice of left.filter(({ id }) => ids.includes(id))) {
            const sending: Promise<void> = sendNext(invoice).finally(() => underWay.delete(sending))
            underWay.add(sending)
          }
          left = ids.length < wanted ? [] : left.slice(last + 1)
        }
        if (end !== 'done') break
      }
    } finally {
      await Promise.all(underWay)
    }
    return end
  }

  return async (signal, heardFrom = new Set()) => {
    const result: SweepResult = { sent: 0, confirmed: 0, unreachable: false }
    const { pending, retrying } = await store.invoices.queue()
    if (pending + retrying === 0) return result
    const heard = new Set(heardFrom)
    const well = new Set<Mode>()
    let isOver = true
    const ignoreRemovals = store.ownProcess.onRemoval(() => {
      isOver = true
    })
    try {
      while (isOver && !signal.aborted) {
        isOver = false
        await recoverPending(store, invoiceLock)
        for (const mode of MODES) await sweepMode(mode, { result, signal, heard, well, isOver: () => isOver })
      }
      return result
    } finally {
      ignoreRemovals()
    }
  }
}

function isBehind(invoice: Place, place: Place): boolean {
  const later = invoice.deadlineAt - place.deadlineAt
  return later > 0 || (later === 0 && invoice.id > place.id)
}
