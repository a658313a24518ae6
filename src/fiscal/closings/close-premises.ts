import { setImmediate } from 'node:timers/promises'
import { ClosingSum, closingText } from '../../domain/sale/closing.ts'
import { type ClosingPeriod, spanOf } from '../../domain/sale/closing-period.ts'
import type { Clock } from '../ports/clock.ts'
import type { IssuedInvoice } from '../ports/invoice-lookups.ts'
import { type Journal, LOCAL_GATEWAY } from '../ports/model.ts'
import type { Closing } from '../ports/rows/closings.ts'
import { Duplicate, type Store, type StoreTransaction } from '../ports/store.ts'
import { type Members, packMembers, unpackMembers } from './members.ts'

export interface ClosePremisesDeps {
  store: Pick<Store, 'closings' | 'companies' | 'gateways' | 'lookups' | 'transaction' | 'turnover'>
  clock: Clock
  newUuid: () => string
}

/** A user, or the operator. */
export interface ClosedBy {
  id: string
  tenantId: string
}

const SLICE = 50
const ATTEMPTS = 3

/**
 * Closes what a premises sold in a period and no closing of it holds yet. Each invoice is in one closing of a unit, and
 * the closing names its invoices: one that comes later, however late and from wherever, changes nothing in it. Reads in
 * slices, so no sale waits.
 * @returns undefined when there is nothing that no closing holds
 */
export async function closePremises(
  deps: ClosePremisesDeps,
  journal: Journal,
  period: ClosingPeriod,
  by: ClosedBy,
): Promise<Closing | undefined> {
  for (let attempt = 1; ; attempt++) {
    const closing = await newClosing(deps, journal, period, by)
    if (!closing) return undefined
    try {
      await deps.store.transaction((tx) => tx.closings.insert(closing))
      return closing
    } catch (error) {
      // Another process has closed it meanwhile.
      if (!(error instanceof Duplicate) || attempt === ATTEMPTS) throw error
    }
  }
}

async function newClosing(
  { store, clock, newUuid }: ClosePremisesDeps,
  journal: Journal,
  period: ClosingPeriod,
  by: ClosedBy,
): Promise<Closing | undefined> {
  const earlier = await store.closings.ofPremises(journal, period)
  const held = new Set<string>()
  for (const { members } of earlier) for (const id of (await unpackMembers(members)).ids) held.add(id)
  const sum = new ClosingSum()
  const added: Members = { ids: [], withoutJir: [] }
  for await (const { id, year, document, jir } of invoicesOf(store, by.tenantId, journal, period)) {
    if (held.has(id)) continue
    sum.add({ id, year, document, hasJir: jir !== null })
    added.ids.push(id)
    if (jir === null) added.withoutJir.push(id)
  }
  if (added.ids.length === 0) return undefined
  const company = await store.companies.get(journal.companyId)
  const { mode, premisesCode, companyId } = journal
  const [number, closedAt] = [earlier.length + 1, clock.now()]
  const facts = {
    ...{ ...period, number, mode, premisesCode, closedAt, closedBy: by.id },
    company: { id: companyId, name: company?.name ?? companyId, oib: company?.oib ?? '' },
    gateway: await gatewayOf(store, journal),
  }
  return {
    ...{ id: newUuid(), tenantId: by.tenantId, companyId, mode, premisesCode, ...period, number, closedAt },
    ...{ closedBy: by.id, invoices: added.ids.length },
    document: closingText(facts, sum.sums()),
    members: await packMembers(added),
  }
}

/** The invoices of a premises in a period, always in the same order. */
export async function* invoicesOf(
  store: Pick<StoreTransaction, 'closings' | 'lookups'>,
  tenantId: string,
  journal: Journal,
  period: ClosingPeriod,
): AsyncGenerator<IssuedInvoice> {
  // By device: there is no index by company and premises, and many companies may have a premises of the same code.
  for (const { id: deviceId } of await store.closings.devicesOf(journal)) {
    const filter = { tenantId, mode: journal.mode, deviceId, ...spanOf(period) }
    for (let last: IssuedInvoice | undefined; ; ) {
      const after = last && { at: last.occurredAt, id: last.id }
      const rows = await store.lookups.issued(filter, { limit: SLICE, after })
      yield* rows
      if (rows.length < SLICE) break
      last = rows.at(-1)
      await setImmediate()
    }
  }
}

/** How far the seller there had reported. A premises has one seller at a time. */
async function gatewayOf(store: Pick<StoreTransaction, 'closings' | 'gateways'>, journal: Journal) {
  const sellers = (await store.closings.devicesOf(journal)).filter(({ gatewayId }) => gatewayId !== LOCAL_GATEWAY)
  const last = sellers.at(-1)
  const gateway = last && (await store.gateways.get(last.gatewayId))
  if (!gateway) return null
  const { name, lastSeenAt, heartbeat } = gateway
  return { name, seenAt: lastSeenAt, waiting: heartbeat?.outbox.waiting ?? null }
}
