import { setImmediate } from 'node:timers/promises'
import { FiskError } from '../domain/errors.ts'
import { UNPROVEN_ANSWER } from '../domain/invoice.ts'
import type { KeyedLock } from '../domain/keyed-lock.ts'
import type { Mode } from '../domain/sale.ts'
import type { Lease } from './lease.ts'
import type { LiveSales } from './live-sales.ts'
import type { Invoice } from './model.ts'
import type { TaxAuthority } from './ports.ts'
import { recoverPending } from './recover.ts'
import type { Store } from './store-port.ts'
import type { ReportFault, Submitted, Submitter } from './submit.ts'
import type { Waiting } from './waiting.ts'

export interface SweepDeps {
  store: Store
  authority: TaxAuthority
  submitter: Submitter
  waiting: Waiting
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
 * One pass over what lacks a JIR, the most endangered first, one after another, sales under way before all of it. An
 * echo asks first whether the tax authority can be reached, and the pass ends when two messages in a row do not reach
 * it; the next one then goes on behind them, so that they hold up nobody. Nor does an invoice that is refused or cannot
 * be handled; one whose company has no valid certificate now waits for the next pass. What was last answered in a way
 * that cannot be believed comes last.
 * @param heardFrom in these modes the tax authority has just answered: nobody needs to ask
 */
export type Sweep = (signal: AbortSignal, heardFrom?: ReadonlySet<Mode>) => Promise<SweepResult>

/** Live ones first: what they lack can be fined. */
const MODES: readonly Mode[] = ['live', 'test']

/**
 * What was last answered in a way that cannot be believed comes after everything else: should that be the fault of these
 * very messages, they keep nobody waiting, however many and however old they are.
 */
const PARTS = ['others', 'unproven'] as const
type Part = (typeof PARTS)[number]

/** In a row. What is answered, however badly, costs less time than what is not. */
const MISSES_THAT_END: Record<Part, number> = { others: 2, unproven: 10 }

const partOf = ({ errorMessage }: Invoice): Part => (errorMessage?.startsWith(UNPROVEN_ANSWER) ? 'unproven' : 'others')

export function createSweep(deps: SweepDeps): Sweep {
  const { store, authority, submitter, waiting, invoiceLock, liveSales, lease, reportFault } = deps
  /** The last invoice of a pass that ended because nobody answered, by mode and part. */
  const stuckAt = new Map<`${Mode} ${Part}`, Invoice>()

  /** @returns undefined when nothing was sent */
  async function sendOne(invoiceId: string): Promise<Submitted | undefined> {
    try {
      return await waiting.whileWaiting(invoiceId, async (invoice) => {
        const identity = await waiting.identityOf(invoice)
        return identity instanceof FiskError ? undefined : submitter.resend(invoice, identity, { attempts: 1 })
      })
    } catch (error) {
      reportFault({ invoiceId, error })
      return undefined
    }
  }

  /** A part of the queue of a mode in order, but from the place on where the last pass got stuck in it. */
  async function* queueOf(mode: Mode, part: Part): AsyncGenerator<Invoice> {
    const start = stuckAt.get(`${mode} ${part}`)
    stuckAt.delete(`${mode} ${part}`)
    for (const [after, until] of start
      ? [
          [start, undefined],
          [undefined, start],
        ]
      : [[undefined, undefined]]) {
      let [next] = await store.invoices.byDeadline('retrying', 1, { mode, after })
      while (next && !(until && isBehind(next, until))) {
        if (partOf(next) === part) yield next
        else await setImmediate()
        ;[next] = await store.invoices.byDeadline('retrying', 1, { mode, after: next })
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
    for (const part of PARTS) if (!(await sweepPart(mode, part, result, signal))) return
  }

  /** @returns whether the rest of the queue may follow */
  async function sweepPart(mode: Mode, part: Part, result: SweepResult, signal: AbortSignal): Promise<boolean> {
    let misses = 0
    for await (const invoice of queueOf(mode, part)) {
      await liveSales.quiet()
      if (signal.aborted || !(await lease.hold())) return false
      const sent = (await invoiceLock.isHeld(invoice.id)) ? undefined : await sendOne(invoice.id)
      if (!sent) {
        // Nothing has been waited for: without this a long queue that cannot be signed would stop everything else.
        await setImmediate()
        continue
      }
      result.sent++
      if (sent.outcome.kind === 'confirmed') result.confirmed++
      misses = sent.reached ? 0 : misses + 1
      if (misses === MISSES_THAT_END[part]) {
        stuckAt.set(`${mode} ${part}`, invoice)
        // Others are answered: these are not sent again with each sale that is.
        result.unreachable ||= part === 'others'
        return false
      }
    }
    return true
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

function isBehind(invoice: Invoice, place: Invoice): boolean {
  const later = invoice.deadlineAt - place.deadlineAt
  return later > 0 || (later === 0 && invoice.id > place.id)
}
