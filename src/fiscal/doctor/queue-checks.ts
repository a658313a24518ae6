import { type Check, failure, fine, warning } from '../../domain/check.ts'
import { DAY_MS, type EpochMs, HOUR_MS } from '../../domain/instant.ts'
import { legalDeadlineIn } from '../../domain/sale/connection-break.ts'
import { FISCAL_ERRORS, type FiscalErrorCode, UNPROVEN_JIR } from '../../domain/sale/invoice.ts'
import { canBeConfirmed, type ExplainedCodes, explainCodes, restrictiveCodesIn } from '../../domain/sale/refusal.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { alike, type Both, joined } from '../../domain/texts/both.ts'
import { CROATIAN_FISCAL_ERRORS } from '../../domain/texts/error-texts.ts'
import type { Context } from '../context.ts'
import { DEFAULT_TENANT } from '../ports/rows/access.ts'
import type { TaxAuthority } from '../ports/tax-authority.ts'
import { type Parked, parkedOf } from '../sales/answer-trust.ts'
import { batchesByDeadline } from '../sales/by-deadline.ts'
import { few, type HealthCheck } from './doctor.ts'

interface Deps extends Context {
  authority: Pick<TaxAuthority, 'echo'>
  sweep: {
    state(): { running: boolean; endedAt: EpochMs | null }
    intervalMs: number
    /** When this process started, with its sweep. */
    since: EpochMs
  }
}

const FAILED = { en: 'failed sales', hr: 'odbijeni računi' }
const WAITING = { en: 'waiting sales', hr: 'računi koji čekaju' }
const EXPIRED = { en: 'expired sales', hr: 'računi bez JIR-a, rok istekao' }
const SWEEP = { en: 'sweep', hr: 'ponovno slanje' }
const NONE = { en: 'there is none', hr: 'nema ih' }
/** Long enough for the operator to have seen it; nothing can be done about it any more. */
const EXPIRED_TOLD_MS = 30 * DAY_MS
/** How late a pass may be beyond the interval; a running pass may have a queue to send. */
const SWEEP_GRACE_MS = 10 * 60_000

/** Whether every sale gets its JIR, and what prevents the others. */
export function queueChecks({ store, authority, clock, sweep }: Deps): HealthCheck[] {
  return [
    { name: FAILED, run: failedChecks },
    { name: WAITING, run: async () => [await waitingCheck()] },
    { name: EXPIRED, run: async () => [await expiredCheck()] },
    { name: SWEEP, run: async () => [sweepCheck()] },
  ]

  async function failedChecks(): Promise<Check[]> {
    /** Keyed also by tenant, because a command requeues the invoices of one tenant. */
    const causes = new Map<
      string,
      { tenantId: string; code: FiscalErrorCode; count: number; said: Map<string, Both> }
    >()
    for await (const batch of batchesByDeadline(store, 'failed')) {
      for (const { tenantId, errorCode, errorMessage } of batch) {
        const code = errorCode ?? 'upstream_rejected'
        const cause = causes.get(`${tenantId} ${code}`) ?? { tenantId, code, count: 0, said: new Map() }
        cause.count++
        cause.said.set(errorMessage ?? '', errorMessage === null ? wordsOf(code, 'means') : alike(errorMessage))
        causes.set(`${tenantId} ${code}`, cause)
      }
    }
    if (causes.size === 0) return [fine(FAILED, NONE)]
    const checks: Check[] = []
    for (const { tenantId, code, count, said } of causes.values()) {
      const isDefault = tenantId === DEFAULT_TENANT
      const all = `fisk${isDefault ? '' : ` --tenant ${tenantId}`} invoice retry --failed --code ${code}`
      const why = few([...said.values()])
      const found = {
        en: `${count}${isDefault ? '' : ` of tenant ${tenantId}`} with ${code}: ${why.en}`,
        hr: `računa s oznakom ${code}${isDefault ? '' : `, organizacija ${tenantId}`}: ${count}. ${why.hr}`,
      }
      checks.push(
        code === UNPROVEN_JIR
          ? parkedCheck(found, await parkedOf(store, { tenantId, companyIds: null }), all)
          : failure(FAILED, found, fixOf(code, [...said.keys()], all)),
      )
    }
    return checks
  }

  function parkedCheck(found: Both, { count, maySend }: Parked, all: string): Check {
    return maySend
      ? failure(
          FAILED,
          {
            en: `${found.en}; ${count} can be sent again, for answers are believed again`,
            hr: `${found.hr}; mogu se ponovno poslati jer se odgovorima opet vjeruje, ukupno: ${count}`,
          },
          { en: `send all of them: ${all}`, hr: `pošaljite sve: ${all}` },
        )
      : failure(FAILED, found, {
          en: `see what "CIS signature" says; when answers are believed again: ${all}`,
          hr: `pogledajte što piše uz „potpis odgovora”; kad se odgovorima opet bude vjerovalo: ${all}`,
        })
  }

  async function waitingCheck(): Promise<Check> {
    const now = clock.now()
    const breaks = await store.breaks.list()
    const stuck = new Map<Mode, number>()
    let [count, overdue] = [0, 0]
    for await (const batch of batchesByDeadline(store, 'retrying')) {
      for (const invoice of batch) {
        const { createdAt, mode } = invoice
        count++
        if (legalDeadlineIn(invoice, breaks).at <= now) overdue++
        else if (createdAt < now - HOUR_MS) stuck.set(mode, (stuck.get(mode) ?? 0) + 1)
      }
    }
    if (overdue > 0) {
      const fix = {
        en: 'bring the connection to CIS back: each of them is sent by itself then, and can be for 30 days',
        hr: 'uspostavite vezu s CIS-om: računi se tada šalju automatski, a rok je 30 dana',
      }
      const detail = {
        en: `${overdue} are past their legal deadline`,
        hr: `računa kojima je istekao zakonski rok: ${overdue}`,
      }
      return failure(WAITING, detail, fix)
    }
    for (const [mode, hours] of stuck) {
      if (!(await authority.echo(mode)).reachable) continue
      const fix = {
        en: 'look at the log for what CIS answers: journalctl -u fiskd; send one now: fisk invoice retry ID',
        hr:
          'u zapisniku pogledajte što CIS odgovara: journalctl -u fiskd; pošaljite jedan odmah: fisk ' +
          'invoice retry ID',
      }
      const detail = {
        en: `${hours} wait for more than an hour, although CIS answers`,
        hr: `računa koji čekaju dulje od sat vremena iako CIS odgovara: ${hours}`,
      }
      return warning(WAITING, detail, fix)
    }
    return fine(
      WAITING,
      count === 0
        ? NONE
        : { en: `${count} will be sent automatically`, hr: `računa koji će se poslati automatski: ${count}` },
    )
  }

  async function expiredCheck(): Promise<Check> {
    const since = clock.now() - EXPIRED_TOLD_MS
    let [count, recent] = [0, 0]
    const recentNumbers = new Set<string>()
    for await (const batch of batchesByDeadline(store, 'expired')) {
      for (const { deadlineAt, document } of batch) {
        count++
        if (deadlineAt < since) continue
        recent++
        recentNumbers.add(`${document.number} of ${document.premisesCode}`)
      }
    }
    if (recent === 0)
      return fine(
        EXPIRED,
        count === 0
          ? NONE
          : {
              en: `none in the last 30 days, ${count} before`,
              hr: `nijedan u posljednjih 30 dana, prije toga ukupno: ${count}`,
            },
      )
    const fix = {
      en:
        'tell your accountant and the tax authority: these sales were never fiscalized and cannot be any more; keep their ' +
        'records',
      hr:
        'obavijestite računovodstvo i Poreznu upravu: ti računi nisu fiskalizirani i više ne mogu biti; ' +
        'sačuvajte podatke o njima',
    }
    const which = few([...recentNumbers])
    const detail = {
      en: `${recent} got no JIR within 30 days: number ${which.en}`,
      hr: `računa bez JIR-a u roku od 30 dana: ${recent}, brojevi ${which.hr}`,
    }
    return failure(EXPIRED, detail, fix)
  }

  function sweepCheck(): Check {
    const { running, endedAt } = sweep.state()
    const sinceMs = clock.now() - (endedAt ?? sweep.since)
    const minutes = Math.round(sinceMs / 60_000)
    const ago = { en: `${minutes} minutes ago`, hr: `prije ${minutes} min` }
    if (running) return fine(SWEEP, { en: 'a pass is under way', hr: 'slanje je u tijeku' })
    if (sinceMs <= sweep.intervalMs + SWEEP_GRACE_MS)
      return fine(
        SWEEP,
        endedAt === null ? { en: 'begun', hr: 'počelo je' } : { en: `ended ${ago.en}`, hr: `završilo ${ago.hr}` },
      )
    const detail = {
      en: `the last pass ended ${ago.en}: nothing is sent again`,
      hr: `posljednje slanje završilo je ${ago.hr}: ništa se ne šalje ponovno`,
    }
    return warning(SWEEP, detail, {
      en: 'restart fiskd: systemctl restart fiskd',
      hr: 'ponovno pokrenite fiskd: systemctl restart fiskd',
    })
  }
}

/** The fix for each restrictive code in `said`, or the usual one. @param all the command that sends these again */
function fixOf(code: FiscalErrorCode, said: readonly string[], all: string): Both {
  const codes = said.map(restrictiveCodesIn)
  const needsUsual = code !== 'upstream_rejected' || codes.some(({ length }) => length === 0)
  const croatian = explainCodes(codes.flat(), 'hr')
  const explained = explainCodes(codes.flat(), 'en').map((english, at) => ({
    en: sentence(english),
    hr: sentence(croatian[at]),
  }))
  return joined(
    [
      ...explained,
      ...(needsUsual ? [wordsOf(code, 'fix')] : []),
      ...(codes.some((named) => named.every(canBeConfirmed))
        ? [{ en: `All of them at once: ${all}`, hr: `Svi odjednom: ${all}` }]
        : []),
    ],
    ' ',
  )
}

const sentence = (explained: ExplainedCodes | undefined) =>
  explained ? `${explained.label}: ${explained.means} ${explained.fix}` : ''

const wordsOf = (code: FiscalErrorCode, what: 'means' | 'fix') => ({
  en: FISCAL_ERRORS[code][what],
  hr: CROATIAN_FISCAL_ERRORS[code][what],
})
