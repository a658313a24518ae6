import { type Check, failure, fine, warning } from '../../domain/check.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { FISCAL_ERRORS, type FiscalErrorCode, UNPROVEN_JIR } from '../../domain/sale/invoice.ts'
import { restrictiveCodesIn } from '../../domain/sale/refusal.ts'
import { canBeConfirmed, explainCodes } from '../../domain/sale/restrictive-codes.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { legalDeadlineOf } from '../../domain/working-days.ts'
import type { Clock } from '../ports/clock.ts'
import { DEFAULT_TENANT } from '../ports/rows/access.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { TaxAuthority } from '../ports/tax-authority.ts'
import { type Parked, parkedOf } from '../sales/answer-trust.ts'
import { batchesByDeadline } from '../sales/by-deadline.ts'
import { few, type HealthCheck } from './doctor.ts'

interface Deps {
  store: Pick<StoreTransaction, 'alerts' | 'invoices'>
  authority: Pick<TaxAuthority, 'echo'>
  clock: Clock
  sweep: {
    state(): { running: boolean; endedAt: EpochMs | null }
    intervalMs: number
    /** When this process started, with its sweep. */
    since: EpochMs
  }
}

const FAILED = 'failed sales'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Long enough for the operator to have seen it; nothing can be done about it any more. */
const EXPIRED_TOLD_MS = 30 * DAY_MS
/** How late a pass may be beyond the interval; a running pass may have a queue to send. */
const SWEEP_GRACE_MS = 10 * 60_000

/** Whether every sale gets its JIR, and what prevents the others. */
export function queueChecks({ store, authority, clock, sweep }: Deps): HealthCheck[] {
  return [
    { name: FAILED, run: failedChecks },
    { name: 'waiting sales', run: async () => [await waitingCheck()] },
    { name: 'expired sales', run: async () => [await expiredCheck()] },
    { name: 'sweep', run: async () => [sweepCheck()] },
  ]

  async function failedChecks(): Promise<Check[]> {
    /** Keyed also by tenant, because a command requeues the invoices of one tenant. */
    const causes = new Map<string, { tenantId: string; code: FiscalErrorCode; count: number; said: Set<string> }>()
    for await (const batch of batchesByDeadline(store, 'failed')) {
      for (const { tenantId, errorCode, errorMessage } of batch) {
        const code = errorCode ?? 'upstream_rejected'
        const cause = causes.get(`${tenantId} ${code}`) ?? { tenantId, code, count: 0, said: new Set() }
        cause.count++
        cause.said.add(errorMessage ?? FISCAL_ERRORS[code].means)
        causes.set(`${tenantId} ${code}`, cause)
      }
    }
    if (causes.size === 0) return [fine(FAILED, 'there is none')]
    const checks: Check[] = []
    for (const { tenantId, code, count, said } of causes.values()) {
      const [of, as] = tenantId === DEFAULT_TENANT ? ['', ''] : [` of tenant ${tenantId}`, ` --tenant ${tenantId}`]
      const all = `fisk${as} invoice retry --failed --code ${code}`
      const found = `${count}${of} with ${code}: ${few([...said])}`
      checks.push(
        code === UNPROVEN_JIR
          ? parkedCheck(found, await parkedOf(store, { tenantId, companyIds: null }), all)
          : failure(FAILED, found, fixOf(code, [...said], all)),
      )
    }
    return checks
  }

  function parkedCheck(found: string, { count, maySend }: Parked, all: string): Check {
    return maySend
      ? failure(
          FAILED,
          `${found}; ${count} can be sent again, for answers are believed again`,
          `send all of them: ${all}`,
        )
      : failure(FAILED, found, `see what "CIS signature" says; when answers are believed again: ${all}`)
  }

  async function waitingCheck(): Promise<Check> {
    const name = 'waiting sales'
    const now = clock.now()
    const stuck = new Map<Mode, number>()
    let [count, overdue] = [0, 0]
    for await (const batch of batchesByDeadline(store, 'retrying')) {
      for (const { occurredAt, createdAt, mode } of batch) {
        count++
        if (legalDeadlineOf(occurredAt) < now) overdue++
        else if (createdAt < now - HOUR_MS) stuck.set(mode, (stuck.get(mode) ?? 0) + 1)
      }
    }
    if (overdue > 0) {
      const fix = 'bring the connection to CIS back: each of them is sent by itself then, and can be for 30 days'
      return failure(name, `${overdue} wait longer than the two working days that the law allows`, fix)
    }
    for (const [mode, hours] of stuck) {
      if (!(await authority.echo(mode)).reachable) continue
      const fix = 'look at the log for what CIS answers: journalctl -u fiskd; send one now: fisk invoice retry ID'
      return warning(name, `${hours} wait for more than an hour, although CIS answers`, fix)
    }
    return fine(name, count === 0 ? 'there is none' : `${count} will be sent by themselves`)
  }

  async function expiredCheck(): Promise<Check> {
    const name = 'expired sales'
    const since = clock.now() - EXPIRED_TOLD_MS
    let [count, recent] = [0, 0]
    const places = new Set<string>()
    for await (const batch of batchesByDeadline(store, 'expired')) {
      for (const { deadlineAt, document } of batch) {
        count++
        if (deadlineAt < since) continue
        recent++
        places.add(`${document.number} of ${document.premisesCode}`)
      }
    }
    if (recent === 0) return fine(name, count === 0 ? 'there is none' : `none in the last 30 days, ${count} before`)
    const fix =
      'tell your accountant and the tax authority: these sales were never fiscalized and cannot be any more; keep their ' +
      'records'
    return failure(name, `${recent} got no JIR within 30 days: number ${few([...places])}`, fix)
  }

  function sweepCheck(): Check {
    const { running, endedAt } = sweep.state()
    const sinceMs = clock.now() - (endedAt ?? sweep.since)
    const ago = `${Math.round(sinceMs / 60_000)} minutes ago`
    if (running) return fine('sweep', 'a pass is under way')
    if (sinceMs <= sweep.intervalMs + SWEEP_GRACE_MS) return fine('sweep', endedAt === null ? 'begun' : `ended ${ago}`)
    return warning(
      'sweep',
      `the last pass ended ${ago}: nothing is sent again`,
      'restart fiskd: systemctl restart fiskd',
    )
  }
}

/**
 * How to fix each restrictive code, and the usual fix when a message contains no code.
 * @param said the messages of the sales
 * @param all the command that sends these sales again
 */
function fixOf(code: FiscalErrorCode, said: readonly string[], all: string): string {
  const codes = said.map(restrictiveCodesIn)
  const needsUsual = code !== 'upstream_rejected' || codes.some(({ length }) => length === 0)
  return [
    ...explainCodes(codes.flat(), 'en').map(({ label, means, fix }) => `${label}: ${means} ${fix}`),
    ...(needsUsual ? [FISCAL_ERRORS[code].fix] : []),
    ...(codes.some((named) => named.every(canBeConfirmed)) ? [`All of them at once: ${all}`] : []),
  ].join(' ')
}
