import { conflict, invalidRequest, notFound } from '../../domain/errors.ts'
import { type EpochMs, formatInstant } from '../../domain/instant.ts'
import { breaksAfter, legalDeadlineIn } from '../../domain/sale/connection-break.ts'
import { MODES } from '../../domain/sale/sale.ts'
import { TOLD_LENGTH } from '../../domain/text-lengths.ts'
import { EXTENDED_WORKING_DAYS, legalDeadlineOf } from '../../domain/working-days.ts'
import { audit } from '../access/audit-log.ts'
import { type Principal, requireReach, requireScope } from '../access/principal.ts'
import type { AuthoritySightings } from '../alerts/authority-rule.ts'
import type { Context } from '../context.ts'
import type { ModeClocks } from '../ports/clock.ts'
import { type Company, LOCAL_GATEWAY } from '../ports/model.ts'
import type { Store, StoreTransaction } from '../ports/store.ts'
import { waitingOf } from './by-deadline.ts'
import { type Keep, keeping } from './idempotency.ts'

type BreaksAndSales = Pick<StoreTransaction, 'breaks' | 'invoices'>

/** The nearest legal deadline of what can still get its JIR; null when nothing lacks one. */
export async function nearestLegalDeadline(store: BreaksAndSales): Promise<EpochMs | null> {
  const breaks = await store.breaks.list()
  let nearest = Number.POSITIVE_INFINITY
  for (const status of ['pending', 'retrying', 'failed'] as const) {
    for (const mode of MODES) {
      const [oldest] = await store.invoices.byDeadline(status, 1, { mode })
      if (!oldest) continue
      const law = legalDeadlineIn(oldest, breaks)
      nearest = Math.min(nearest, law.at)
      if (law.days !== EXTENDED_WORKING_DAYS) continue
      // Newer sales of companies without an extension may be due before: the oldest of those is.
      for await (const slice of waitingOf(store, status)) {
        const laws = slice
          .filter((sale) => sale.mode === mode)
          .map((sale) => legalDeadlineIn({ ...sale, status }, breaks))
        nearest = Math.min(nearest, ...laws.map(({ at }) => at))
        if (laws.some(({ days }) => days !== EXTENDED_WORKING_DAYS)) break
      }
    }
  }
  return Number.isFinite(nearest) ? nearest : null
}

interface ReachDeps {
  store: Pick<Store, 'breaks' | 'transaction'>
  clock: ModeClocks
  /** A monotonic clock in milliseconds. */
  elapsed: () => number
  sightings: Pick<AuthoritySightings, 'contact'>
}

/**
 * Notes whether the tax authority was reached: since when it was not is where the legal deadline counts from. To be called
 * again and again, so that what could not be stored, or was changed by another process, comes right.
 */
export async function noteReach({ store, clock, elapsed, sightings }: ReachDeps): Promise<void> {
  for (const mode of MODES) {
    const contact = sightings.contact(mode)
    const { latest: now } = clock.of(mode).present()
    const isRelied = Number.isFinite(now)
    if (!contact || (!isRelied && (contact.reached || contact.soldAt === null))) continue
    const { reached, soldAt } = contact
    // A clock that may be years off tells no day: the first sale of the break tells it then.
    const at = (moment: number) => (isRelied ? Math.round(now - elapsed() + moment) : (soldAt ?? 0))
    const reach = { mode, reached, since: at(contact.since), latest: at(contact.latest), now }
    if (!breaksAfter(await store.breaks.list(), reach)) continue
    await store.transaction(async (tx) => {
      await tx.subjects.hold('breaks')
      const changed = breaksAfter(await tx.breaks.list(), reach)
      if (changed) await tx.breaks.put(changed)
    })
  }
}

export interface ExtendedDeadline {
  companyId: string
  /** When the connection broke. */
  since: EpochMs
  deadlineAt: EpochMs
}

/** Since when the break lasts whose deadline is extended: the earliest whose sales wait, otherwise the one that goes on. */
async function breakOf(
  store: BreaksAndSales,
  { id, mode }: Pick<Company, 'id' | 'mode'>,
): Promise<EpochMs | undefined> {
  const breaks = await store.breaks.list()
  const found: EpochMs[] = []
  for (const status of ['pending', 'retrying'] as const) {
    for await (const slice of waitingOf(store, status)) {
      for (const sale of slice.filter(({ companyId }) => companyId === id)) {
        const { broken } = legalDeadlineIn({ ...sale, status }, breaks)
        if (broken && !broken.extended.includes(id)) found.push(broken.from)
      }
    }
  }
  if (found.length > 0) return found.reduce((one, other) => Math.min(one, other))
  return breaks.findLast((one) => one.mode === mode && (one.until === null || one.extended.includes(id)))?.from
}

/**
 * Gives a company five working days instead of two for a break of its connection, once: its equipment has to be replaced,
 * or its provider is at fault. @param order `since`: when the break began, by default of the earliest whose sales wait
 * @throws FiskError `insufficient_scope`, 404, 400 without a reason, 409
 */
export async function extendDeadline(
  { store, clock }: Context,
  principal: Principal,
  order: { companyId: string; reason: string; since?: EpochMs | undefined },
  keep?: Keep<ExtendedDeadline>,
): Promise<ExtendedDeadline> {
  requireScope(principal, 'fleet:write')
  const reason = order.reason.trim()
  if (reason === '' || reason.length > TOLD_LENGTH) {
    throw invalidRequest('reason', `say why, in at most ${TOLD_LENGTH} characters`, 'deadline_reason_missing')
  }
  const companyId = await store.companies.idWithin(principal.tenantId, order.companyId)
  const company = await store.companies.get(companyId)
  if (company?.tenantId !== principal.tenantId) throw notFound('company_id', 'there is no such company')
  requireReach(principal, companyId, 'company', 'company_id')
  const { gatewayId } = company
  if (gatewayId !== LOCAL_GATEWAY) {
    const gateway = (await store.gateways.names([gatewayId])).get(gatewayId) ?? gatewayId
    throw conflict(
      'company_id',
      `it is a company of the gateway ${gateway}: run fisk deadline extend there`,
      'deadline_of_gateway',
    )
  }
  const since = order.since ?? (await breakOf(store, company))
  return keeping(store, keep, async (tx) => {
    await tx.subjects.hold('breaks')
    const breaks = await tx.breaks.list()
    const broken = breaks.find(({ mode, from }) => mode === company.mode && from === since)
    if (!broken || since === undefined) {
      throw conflict('company_id', 'no sale of it waits for the connection', 'break_unknown')
    }
    if (broken.extended.includes(companyId)) {
      throw conflict('company_id', 'the deadline is extended already', 'deadline_extended')
    }
    const extended = { ...broken, extended: [...broken.extended, companyId] }
    await tx.breaks.put(breaks.map((one) => (one === broken ? extended : one)))
    const detail = { id: companyId, oib: company.oib, since: formatInstant(since), reason }
    await audit(tx, principal, clock.now(), 'deadline.extended', detail)
    return { companyId, since, deadlineAt: legalDeadlineOf(since, EXTENDED_WORKING_DAYS) }
  })
}
