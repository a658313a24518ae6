import { companyIdOf } from '../../domain/company-id.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { isWithinReach } from '../../domain/sale/receipt-number.ts'
import { type GatewayRecord, premisesKey } from '../../fiscal/ports/gateways.ts'
import { type Company, sequenceKey } from '../../fiscal/ports/model.ts'
import type { SyncRecord } from '../../fiscal/ports/outbox.ts'
import type { Store } from '../../fiscal/ports/store.ts'
import type { IdentityRequest, IdentityResponse, KnownPrinter, Predecessor } from '../wire/identity.ts'
import type { SkippedRequest } from '../wire/messages.ts'
import { decodePlace } from '../wire/numbers.ts'
import { encodeRecord } from '../wire/records.ts'
import { companyIdsOf } from './company-ids.ts'
import { companiesOf } from './premises.ts'

type Lookup = Pick<Store, 'certificates' | 'companies' | 'devices' | 'gateways' | 'logos'>

/** Devices of a page; each has two free fields of 32 KB at most. */
const DEVICES = 50
/** Companies of a page; each may have a logo of 400,000 characters. */
const COMPANIES = 10

/** What a replacement has to know: the gateway's own devices and companies. Archived ones and keys stay here. */
export async function identityPage(
  store: Lookup,
  gateway: GatewayRecord,
  { after }: IdentityRequest,
): Promise<IdentityResponse> {
  const companies = await companiesOfGateway(store, gateway)
  const without_jir = (await store.gateways.withoutJir(gateway.tenantId)).get(gateway.id) ?? 0
  if (after?.kind !== 'device') {
    const left = companies.filter(({ id }) => after === null || id > after.id)
    const page = left.slice(0, COMPANIES)
    const last = page.at(-1)
    const next = left.length > page.length && last ? { kind: 'company' as const, at: 0, id: last.id } : FIRST_DEVICE
    return { ...(await companyRecords(store, gateway, page)), without_jir, next }
  }
  const wireIds = new Map(companies.map(({ id, oib }) => [id, companyIdOf(oib)]))
  const realm = { tenantId: gateway.tenantId, mode: null, companyIds: null }
  const devices = await store.devices.list({ ...realm, gatewayId: gateway.id }, { limit: DEVICES, after })
  const records = devices.flatMap(({ tenantId: _tenant, gatewayId: _gateway, ...row }): SyncRecord[] => {
    const companyId = wireIds.get(row.companyId)
    if (companyId === undefined || row.status === 'archived') return []
    return [{ kind: 'device', id: row.id, version: 1, row: { ...row, companyId } }]
  })
  const last = devices.length === DEVICES ? devices.at(-1) : undefined
  const next = last ? { kind: 'device' as const, at: last.createdAt, id: last.id } : null
  return { records: records.map(wireRecord), certificates: [], without_jir, next }
}

const FIRST_DEVICE = { kind: 'device', at: 0, id: '00000000-0000-0000-0000-000000000000' } as const

const wireRecord = (record: SyncRecord) => encodeRecord(record) as IdentityResponse['records'][number]

/**
 * The companies of its devices and premises, ordered by id: of a gateway that is limited, those that it is limited to. Any other
 * may name premises of every company of its tenant, so it must have sold for a company, or have brought its row itself.
 */
async function companiesOfGateway(store: Lookup, gateway: GatewayRecord): Promise<Company[]> {
  const limit = await companiesOf(store, gateway)
  const known = limit ?? new Set(await store.gateways.soldFor(gateway.id))
  const ids = (await store.gateways.sellsFor(gateway.tenantId)).get(gateway.id) ?? []
  const found: Company[] = []
  for (const id of [...ids].sort()) {
    const company = await store.companies.get(id)
    if (company?.tenantId !== gateway.tenantId || company.status === 'archived') continue
    const isBrought = limit === null && company.gatewayId === gateway.id
    if (isBrought || known.has(id)) found.push(company)
  }
  return found
}

async function companyRecords(store: Lookup, gateway: GatewayRecord, companies: readonly Company[]) {
  const records: IdentityResponse['records'] = []
  const certificates: IdentityResponse['certificates'] = []
  for (const { tenantId: _tenant, gatewayId: _gateway, logoHash, ...company } of companies) {
    const id = companyIdOf(company.oib)
    const logo = (logoHash && (await store.logos.get(logoHash))) || null
    records.push(wireRecord({ kind: 'company', id, version: 1, row: { ...company, id, logo } }))
    const current = await certificateOf(store, gateway, company.id)
    if (!current) continue
    const { subjectCn, issuer, serial, notAfter } = current
    certificates.push({ company_id: id, subject_cn: subjectCn, issuer, serial, not_after: notAfter })
  }
  return { records, certificates }
}

/** The certificate in use of this gateway; where it has sent none, the newest of the company. */
async function certificateOf(store: Lookup, { id, tenantId }: GatewayRecord, companyId: string) {
  const all = await store.certificates.list({ tenantId, mode: null, companyIds: null, companyId })
  const current = all.filter(({ supersededAt, revokedAt }) => supersededAt === null && revokedAt === null)
  for (const one of current) if ((await store.certificates.ownerOf(one.id)) === id) return one
  return current[0]
}

type Known = Pick<GatewayRecord, 'enrolledAt' | 'lastSeenAt' | 'reportedAt' | 'heartbeat'>

/**
 * What the replaced machine last said of itself, or the one before, when it broke before it had taken over.
 * @param serverRestoredAt a server that was restored knows less than it was told
 */
export function predecessorOf(known: Known, serverRestoredAt: EpochMs | null): Predecessor {
  const { enrolledAt, reportedAt, heartbeat } = known
  const { replaces } = heartbeat ?? {}
  const hasReported = reportedAt === null || reportedAt >= (enrolledAt ?? 0)
  const lastSeenAt = replaces ? replaces.last_seen_at : hasReported ? known.lastSeenAt : reportedAt
  const restores = [heartbeat?.restored_at, replaces?.restored_at]
  const hasForgotten = (serverRestoredAt ?? 0) > (lastSeenAt ?? 0)
  if (hasForgotten) restores.push(serverRestoredAt)
  const restoredAt = Math.max(...restores.map((at) => at ?? 0))
  const printers = (heartbeat?.printers ?? []).flatMap(({ device_id, setup }): KnownPrinter[] => {
    if (!setup || !UUID.test(device_id)) return []
    return [{ device_id, ...setup } as KnownPrinter]
  })
  return { last_seen_at: hasForgotten ? null : lastSeenAt, restored_at: restoredAt || null, printers }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Raises the highest numbers at the premises of a gateway to where the machine that replaces it goes on. Otherwise the next
 * replacement skips the same numbers again, and gives out those of a machine that broke before it sent any sale. Numbers
 * of foreign premises and numbers out of reach are ignored, as from invoices. Reach counts from what stood before the
 * request: behind a number of an invoice stands a sale, behind these nothing, so none brings the next one within reach.
 */
export async function keepSkippedNumbers(
  store: Pick<Store, 'companies' | 'transaction'>,
  gateway: Pick<GatewayRecord, 'id' | 'tenantId'>,
  { numbers }: SkippedRequest,
): Promise<void> {
  const told = numbers.map((one) => decodePlace(one))
  const { here } = await companyIdsOf(
    store,
    gateway.tenantId,
    told.map(({ companyId }) => companyId),
  )
  await store.transaction(async (tx) => {
    await tx.subjects.hold(`gateway ${gateway.id}`)
    const claims = await tx.gateways.claims.ofGateway(gateway.id)
    const held = new Set(claims.map(premisesKey))
    const own = told
      .map(({ level: _level, ...number }) => ({ ...number, companyId: here(number.companyId) }))
      .filter((one) => held.has(premisesKey(one)))
    await tx.numbering.lockPremises(...own)
    const before = new Map<string, string | undefined>()
    for (const one of own) before.set(sequenceKey(one), await tx.numbering.highest(one))
    for (const { highest, ...sequence } of own) {
      if (!isWithinReach(highest, before.get(sequenceKey(sequence)))) continue
      const isHigher = BigInt(highest) > BigInt((await tx.numbering.highest(sequence)) ?? 0)
      if (isHigher) await tx.numbering.setHighest(sequence, highest)
    }
  })
}
