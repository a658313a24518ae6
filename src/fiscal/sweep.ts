import { FiskError } from '../domain/errors.ts'
import type { Mode } from '../domain/sale.ts'
import type { KeyedLock } from './keyed-lock.ts'
import type { Lease } from './lease.ts'
import type { LiveSales } from './live-sales.ts'
import type { Outcome, TaxAuthority } from './ports.ts'
import { recoverPending } from './recover.ts'
import type { Store } from './store-port.ts'
import { isUnreachable, type ReportFault, type Submitter } from './submit.ts'
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
  /** Told about each message of the pass. */
  onSent?: (outcome: Outcome) => void
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
 * it. An invoice that it refuses, or that cannot be handled, does not hold up the others; one whose company has no
 * valid certificate now waits for the next pass.
 */
export type Sweep = (signal: AbortSignal) => Promise<SweepResult>

/** Live ones first: what they lack can be fined. */
const MODES: readonly Mode[] = ['live', 'test']

const MISSES_THAT_END_A_PASS = 2

export function createSweep(deps: SweepDeps): Sweep {
  const { store, authority, submitter, waiting, invoiceLock, liveSales, lease, reportFault, onSent } = deps

  async function sendOne(invoiceId: string): Promise<Outcome | undefined> {
    try {
      return await waiting.whileWaiting(invoiceId, async (invoice) => {
        const identity = await waiting.identityOf(invoice)
        if (identity instanceof FiskError) return undefined
        return (await submitter.resend(invoice, identity, { attempts: 1 })).outcome
      })
    } catch (error) {
      reportFault({ invoiceId, error })
      return undefined
    }
  }

  async function sweepMode(mode: Mode, result: SweepResult, signal: AbortSignal): Promise<void> {
    let [next] = await store.invoices.byDeadline('retrying', 1, { mode })
    if (!next) return
    if (!(await authority.echo(mode)).reachable) {
      result.unreachable = true
      return
    }
    for (let misses = 0; next && !signal.aborted; ) {
      await liveSales.quiet()
      if (signal.aborted || !(await lease.hold())) return
      const outcome = invoiceLock.isHeld(next.id) ? undefined : await sendOne(next.id)
      if (outcome) {
        result.sent++
        if (outcome.kind === 'confirmed') result.confirmed++
        misses = isUnreachable(outcome) ? misses + 1 : 0
        onSent?.(outcome)
      }
      if (misses === MISSES_THAT_END_A_PASS) {
        result.unreachable = true
        return
      }
      ;[next] = await store.invoices.byDeadline('retrying', 1, { mode, after: next })
    }
  }

  return async (signal) => {
    const result: SweepResult = { sent: 0, confirmed: 0, unreachable: false }
    const { pending, retrying } = await store.invoices.queue()
    if (pending + retrying === 0 || !(await lease.hold())) return result
    try {
      await recoverPending(store, invoiceLock)
      for (const mode of MODES) await sweepMode(mode, result, signal)
      return result
    } finally {
      await lease.release()
    }
  }
}
