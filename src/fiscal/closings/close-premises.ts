import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { ClosingSum, closingText } from '../../domain/sale/closing.ts'
import { type ClosingPeriod, spanOf } from '../../domain/sale/closing-period.ts'
import type { Principal } from '../access/principal.ts'
import type { CreatingContext } from '../context.ts'
import { slicesOf } from '../in-slices.ts'
import type { IssuedInvoice } from '../ports/invoice-lookups.ts'
import { type Journal, LOCAL_GATEWAY } from '../ports/model.ts'
import type { Closing } from '../ports/rows/closings.ts'
import { Duplicate, type StoreTransaction } from '../ports/store.ts'

/** A user, or the operator. */
export type ClosedBy = Pick<Principal, 'id' | 'tenantId'>

const SLICE = 50
const ATTEMPTS = 3

/**
 * Closes what a premises sold in a period and no closing of it holds yet. Each invoice is in one closing of a unit, and
 * the closing names its invoices: one that comes later, however late and from wherever, changes nothing in it. Reads in
 * slices, so no sale waits.
 * @returns undefined when there is nothing that no closing holds
 */
export async function closePremises(
  deps: CreatingContext,
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
  { store, clock, newUuid }: CreatingContext,
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
  const number = earlier.length + 1
  const known = { ...period, number, mode, premisesCode, closedAt: clock.now(), closedBy: by.id }
  const facts = {
    ...known,
    company: { id: companyId, name: company?.name ?? companyId, oib: company?.oib ?? '' },
    gateway: await gatewayOf(store, journal),
  }
  return {
    ...known,
    id: newUuid(),
    tenantId: by.tenantId,
    companyId,
    invoices: added.ids.length,
    document: closingText(facts, sum.sums()),
    members: await packMembers(added),
  }
}

/** The invoices of a premises in a period, always in the same order. */
export async function* invoicesOf(
  store: StoreTransaction,
  tenantId: string,
  journal: Journal,
  period: ClosingPeriod,
): AsyncGenerator<IssuedInvoice> {
  // By device: there is no index by company and premises, and many companies may have a premises of the same code.
  for (const { id: deviceId } of await store.closings.devicesOf(journal)) {
    const filter = { tenantId, mode: journal.mode, deviceId, ...spanOf(period) }
    const read = (last: IssuedInvoice | undefined) =>
      store.lookups.issued(filter, { limit: SLICE, after: last && { at: last.occurredAt, id: last.id } })
    for await (const rows of slicesOf(SLICE, read)) yield* rows
  }
}

/** How far the seller there had reported. A premises has one seller at a time. */
async function gatewayOf(store: StoreTransaction, journal: Journal) {
  const sellers = (await store.closings.devicesOf(journal)).filter(({ gatewayId }) => gatewayId !== LOCAL_GATEWAY)
  const last = sellers.at(-1)
  const gateway = last && (await store.gateways.get(last.gatewayId))
  if (!gateway) return null
  const { name, lastSeenAt, heartbeat } = gateway
  return { name, seenAt: lastSeenAt, waiting: heartbeat?.outbox.waiting ?? null }
}

/** The invoices of a closing, in the order in which they are added up. */
interface Members {
  ids: string[]
  /** Those of them that had no JIR when it was closed. */
  withoutJir: string[]
}

const [zip, unzip] = [promisify(gzip), promisify(gunzip)]

/** Compressed by another thread than the one that takes sales: a month may have many. */
const packMembers = ({ ids, withoutJir }: Members): Promise<Buffer> => zip(JSON.stringify([ids, withoutJir]))

/** More text than the ids of `MOST_MEMBERS` invoices. */
const LONGEST = 256 * 1024 * 1024

/** @throws Error for bytes that `packMembers` has not made */
export async function unpackMembers(packed: Buffer): Promise<Members> {
  const [ids, withoutJir] = JSON.parse((await unzip(packed, { maxOutputLength: LONGEST })).toString('utf8'))
  return { ids, withoutJir }
}
