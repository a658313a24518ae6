import { setImmediate } from 'node:timers/promises'
import { FiskError } from '../../domain/errors.ts'
import type { KeyedLock } from '../../domain/keyed-lock.ts'
import { isAnsweredUnproven, UNPROVEN_JIR } from '../../domain/sale/invoice.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Lease } from '../lease.ts'
import type { WaitingInvoice } from '../ports/rows/sales.ts'
import type { Store } from '../ports/store.ts'
import type { TaxAuthority } from '../ports/tax-authority.ts'
import { type Place, waitingOf } from './by-deadline.ts'
import type { LiveSales } from './live-sales.ts'
import { recoverPending } from './recover-pending.ts'
import type { ReportFault, Submitted, Submitter } from './submit.ts'
import type { UnsentInvoices } from './unsent-invoices.ts'

export interface SweepDeps {
  store: Pick<Store, 'invoices' | 'transaction'>
  authority: TaxAuthority
  submitter: Submitter
  waiting: UnsentInvoices
  invoiceLock: KeyedLock
  liveSales: LiveSales
  /** Held during a pass: of all processes on a database one sweeps at a time. */
  lease: Lease
  reportFault: ReportFault
}

export interface SweepResult {
  sent: number
  confirmed: number
  /** The tax authority could not be reached in some mode: what waits there is left for later. */
  unreachable: boolean
}

/**
 * One pass over what lacks a JIR, the most endangered first, one after another, none twice, and sales under way before
 * all of it. An echo asks first whether the tax authority can be reached, and the pass of a mode ends when two messages
 * in a row do not reach it; the next pass then goes on behind them, so that they hold up nobody. Nor does an invoice
 * that is refused or cannot be handled; one whose company has no valid certificate now waits for the next pass. What was
 * last answered in a way that cannot be believed comes last. Two JIRs in a row that cannot be believed end the pass, too.
 * @param heardFrom in these modes the tax authority has just answered: nobody needs to ask
 */
export type Sweep = (signal: AbortSignal, heardFrom?: ReadonlySet<Mode>) => Promise<SweepResult>

/** Live ones first: what they lack can be fined. */
const MODES: readonly Mode[] = ['live', 'test']

/**
 * What was last answered in a way that cannot be believed comes after everything else: should that be the fault of these
 * very messages, they keep nobody waiting, however many and however old they are.
 */
type Part = 'others' | 'unproven'

const partOf = (invoice: WaitingInvoice): Part => (isAnsweredUnproven(invoice) ? 'unproven' : 'others')

/** So many messages in a row that reach nobody end a part. */
const MISSES_THAT_END = 2
/** What is answered, however badly, costs less time than what is not. */
const UNPROVEN_ANSWERS_THAT_END = 10
/** So many in a row end the pass: each parks an invoice, and a service that is ill now may be well in the next pass. */
const UNPROVEN_JIRS_THAT_END = 2

/** The pass over one mode. */
interface Pass {
  mode: Mode
  signal: AbortSignal
  result: SweepResult
  /** What was sent and still has no JIR. */
  tried: Set<string>
  /** In a row. */
  unprovenJirs: number
}

/** How a part ended: with its last invoice, because nobody answers, or with the whole pass. */
type End = 'done' | 'missed' | 'pass_over'

export function createSweep(deps: SweepDeps): Sweep {
  const { store, authority, submitter, waiting, invoiceLock, liveSales, lease, reportFault } = deps
  /** The last invoice of a pass that ended because nobody answered, by mode and part. */
  const stuckAt = new Map<`${Mode} ${Part}`, Place>()

  /** @returns undefined when nothing was sent */
  async function sendOne(invoiceId: string): Promise<Submitted | undefined> {
    try {
      return await waiting.withUnsentInvoice(invoiceId, async (invoice) => {
        // Somebody may have sent it since the queue was read, and what has failed is not swept.
        if (invoice.status !== 'retrying') return undefined
        const identity = await waiting.identityOf(invoice)
        return identity instanceof FiskError ? undefined : submitter.resend(invoice, identity, { attempts: 1 })
      })
    } catch (error) {
      reportFault({ invoiceId, error })
      return undefined
    }
  }

  /** A part of the queue of a mode in order, but from the place on where the last pass got stuck in it. */
  async function* queueOf({ mode, signal }: Pass, part: Part): AsyncGenerator<WaitingInvoice> {
    const start = stuckAt.get(`${mode} ${part}`)
    stuckAt.delete(`${mode} ${part}`)
    for (const [after, until] of start
      ? [
          [start, undefined],
          [undefined, start],
        ]
      : [[undefined, undefined]]) {
      // There may be tens of thousands of the other part.
      for await (const slice of waitingOf(store, 'retrying', { after })) {
        if (signal.aborted) return
        yield* slice.filter(
          (invoice) => invoice.mode === mode && partOf(invoice) === part && !(until && isBehind(invoice, until)),
        )
        const last = slice.at(-1)
        if (until && last && isBehind(last, until)) break
      }
    }
  }

  async function sweepMode(mode: Mode, result: SweepResult, signal: AbortSignal, heard: boolean): Promise<void> {
    const [waits] = await store.invoices.byDeadline('retrying', 1, { mode })
    if (!waits || signal.aborted) return
    if (!heard && !(await authority.echo(mode)).reachable) {
      result.unreachable = true
      return
    }
    const pass = { mode, signal, result, tried: new Set<string>(), unprovenJirs: 0 }
    const others = await sweepPart(pass, 'others', MISSES_THAT_END)
    if (others === 'pass_over') return
    // The unproven ones do not count here: others are answered, and each of those answers would begin another pass.
    result.unreachable ||= others === 'missed'
    // Some are tried even then: two of the others that never get an answer must not keep them waiting for ever.
    await sweepPart(pass, 'unproven', others === 'missed' ? MISSES_THAT_END : UNPROVEN_ANSWERS_THAT_END)
  }

  /** @param mostMisses so many in a row end it */
  async function sweepPart(pass: Pass, part: Part, mostMisses: number): Promise<End> {
    const { mode, signal, result, tried } = pass
    let misses = 0
    for await (const invoice of queueOf(pass, part)) {
      if (tried.has(invoice.id)) continue
      await liveSales.quiet()
      if (signal.aborted || !(await lease.hold())) return 'pass_over'
      const sent = (await invoiceLock.isHeld(invoice.id)) ? undefined : await sendOne(invoice.id)
      if (!sent) {
        // Nothing has been waited for: without this a long queue that cannot be signed would stop everything else.
        await setImmediate()
        continue
      }
      result.sent++
      if (sent.outcome.kind === 'confirmed') result.confirmed++
      else tried.add(invoice.id)
      misses = sent.reached ? 0 : misses + 1
      if (sent.invoice.errorCode === UNPROVEN_JIR) pass.unprovenJirs++
      else if (sent.reached) pass.unprovenJirs = 0
      if (pass.unprovenJirs === UNPROVEN_JIRS_THAT_END) return 'pass_over'
      if (misses === mostMisses) {
        stuckAt.set(`${mode} ${part}`, invoice)
        return 'missed'
      }
    }
    return 'done'
  }

  return async (signal, heardFrom = new Set()) => {
    const result: SweepResult = { sent: 0, confirmed: 0, unreachable: false }
    const { pending, retrying } = await store.invoices.queue()
    if (pending + retrying === 0 || !(await lease.hold())) return result
    try {
      await recoverPending(store, invoiceLock)
      for (const mode of MODES) await sweepMode(mode, result, signal, heardFrom.has(mode))
      return result
    } finally {
      await lease.release()
    }
  }
}

function isBehind(invoice: Place, place: Place): boolean {
  const later = invoice.deadlineAt - place.deadlineAt
  return later > 0 || (later === 0 && invoice.id > place.id)
}
