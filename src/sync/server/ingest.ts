import { setImmediate } from 'node:timers/promises'
import { FiskError, invalidRequest } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { FARTHEST_PUSHED } from '../../domain/sync-bounds.ts'
import { ACCEPTED, type Acceptance } from '../../fiscal/ports/enrolment.ts'
import { type FleetConflict, type GatewayRecord, type Premises, premisesKey } from '../../fiscal/ports/gateways.ts'
import { SYNC_KINDS, type SyncKind, type SyncRecord } from '../../fiscal/ports/outbox.ts'
import { BrokenRule, Duplicate, type Store, type StoreTransaction } from '../../fiscal/ports/store.ts'
import { SYNC_BOUNDS } from '../wire/bounds.ts'
import type { PushRequest, PushResponse, WireConflict } from '../wire/messages.ts'
import { decodeRecord, type WireRefusal } from '../wire/records.ts'
import { unreadable } from './archived-messages.ts'
import { type CompanyIds, companyIdsOf, companyIn, localRecord } from './company-ids.ts'
import { type CompanyConflict, decide, type Verdict } from './decide-on-rows.ts'
import { claimPremises, companiesOf, holderNames } from './premises.ts'

export interface IngestDeps {
  store: Pick<Store, 'companies' | 'gateways' | 'ingest' | 'transaction'>
  now: () => EpochMs
  /** Resolves when no sale is under way at this server, or after so long. */
  quiet: (patienceMs: number) => Promise<void>
  /** Called with the refused records, so that an operator is alerted. */
  onRefused: (gateway: GatewayRecord, refused: readonly WireRefusal[]) => Promise<void>
  onConflicts: (gateway: GatewayRecord, conflicts: readonly FleetConflict[]) => Promise<void>
}

/** Records that are decided on and written at once; nothing else runs meanwhile: a sale waits for so many at most. */
const SLICE = 400
/** The most bytes of a batch, unless one record has more. */
const SLICE_BYTES = 128 * 1024
/** How many records, and how many bytes, are decoded without a pause. */
const DECODED = 50
const DECODED_BYTES = 128 * 1024
/** How long a part of a push waits for sales: a push of 4 MB has 40 parts, and its gateway waits for the answer. */
const PATIENCE_MS = 100

/**
 * Stores the records of a push in slices, each in its own transaction. The position moves with the last slice: after a
 * crash the gateway sends the whole push again, and the versions show which records are already stored.
 */
export async function ingest(
  deps: IngestDeps,
  gateway: GatewayRecord,
  session: string,
  { after, position, records }: PushRequest,
): Promise<PushResponse> {
  if (position < after) throw invalidRequest('position', 'position must not be before after')
  requireNear(gateway, { position, records })
  // The server has lost what came before, and asks for it: it was restored.
  if (after > gateway.position) return { position: gateway.position, refused: [], conflicts: [] }
  const pause = () => setImmediate().then(() => deps.quiet(PATIENCE_MS))
  const refused: WireRefusal[] = []
  /** With their bytes. */
  const read = new Map<SyncRecord, number>()
  let since = 0
  for (const [index, record] of records.entries()) {
    if (since >= DECODED_BYTES || (index > 0 && index % DECODED === 0)) {
      await pause()
      since = 0
    }
    const outcome = decodeRecord(record)
    // What is refused may have as many bytes as what is not.
    since += 'record' in outcome ? outcome.bytes : SYNC_BOUNDS.row.most
    if ('record' in outcome) read.set(outcome.record, outcome.bytes)
    else refused.push(outcome.refusal)
  }
  const wrong = await unreadable([...read.keys()])
  refused.push(...[...wrong].map(unreadableRefusal))
  const told = [...read.keys()].filter((record) => !wrong.has(record))
  const companyIds = await companyIdsOf(
    deps.store,
    gateway.tenantId,
    told.flatMap((one) => companyIn(one) ?? []),
  )
  const sizes = new Map(told.map((record) => [localRecord(record, companyIds), read.get(record) ?? 0]))
  const decoded = [...sizes.keys()]
  decoded.sort((one, other) => RANK[one.kind] - RANK[other.kind])
  await claimNew(deps, gateway, decoded)
  const companies: CompanyConflict[] = []
  const renamed: Verdict['renamed'] = []
  const highest = decoded.reduce((most, { version }) => Math.max(most, version), 0)
  let reached = gateway.position
  let start = 0
  do {
    const slice: SyncRecord[] = []
    let bytes = 0
    for (const record of decoded.slice(start, start + SLICE)) {
      bytes += sizes.get(record) ?? 0
      if (bytes > SLICE_BYTES && slice.length > 0) break
      slice.push(record)
    }
    await pause()
    const [isFirst, isLast] = [start === 0, start + slice.length === decoded.length]
    const stored = await deps.store.ingest(gateway.id, async (tx) => {
      const current = await stillHeard(tx, gateway, session, deps.now())
      if (after > current.position) return { position: current.position, isBehind: true, verdict: undefined }
      const verdict = slice.length === 0 ? undefined : wireVerdict(await store(tx, gateway, slice), companyIds)
      const all = [...(isFirst ? refused : []), ...(verdict?.refused ?? [])]
      await noteRefusals(tx, gateway, verdict?.taken ?? [], all, deps.now())
      const to = isLast ? Math.max(current.position, position) : current.position
      // Before any of it is stored: what is heard must never lie behind what is there.
      const heard = Math.max(current.heard, highest, to)
      if (to > current.position || heard > current.heard) await tx.gateways.update(gateway.id, { position: to, heard })
      return { position: to, isBehind: false, verdict }
    })
    reached = stored.position
    if (stored.isBehind) return { position: reached, refused: [], conflicts: [] }
    refused.push(...(stored.verdict?.refused ?? []))
    companies.push(...(stored.verdict?.companies ?? []))
    renamed.push(...(stored.verdict?.renamed ?? []))
    start += slice.length
  } while (start < decoded.length)
  if (refused.length > 0) await deps.onRefused(gateway, refused)
  return { position: reached, refused, conflicts: await conflictsOf(deps, gateway, companies, renamed) }
}

/** A position far beyond all that was heard of would leave none for what changes next. @throws FiskError 400 */
function requireNear(known: GatewayRecord, { position, records }: Pick<PushRequest, 'position' | 'records'>): void {
  const farthest = Math.max(known.position, known.heard) + FARTHEST_PUSHED
  const isTooFar = position > farthest || records.some(({ version }) => version > farthest)
  if (isTooFar)
    throw invalidRequest('position', `positions above ${farthest} are far beyond all that this gateway told of`)
}

const unreadableRefusal = ({ kind, id, version }: SyncRecord): WireRefusal => ({
  kind,
  id,
  version,
  code: 'invalid_record',
  message: 'request_xml or response_xml is no gzip of a text',
})

const RANK = Object.fromEntries(SYNC_KINDS.map((kind, rank) => [kind, rank])) as Record<SyncKind, number>

/** What became of the records, by the ids that they came with. */
function wireVerdict(verdict: Verdict, { onTheWire }: CompanyIds): Verdict {
  const asTold = <T extends { kind: string; id: string }>(one: T): T =>
    one.kind === 'company' ? { ...one, id: onTheWire(one.id) } : one
  return { ...verdict, taken: verdict.taken.map(asTold), refused: verdict.refused.map(asTold) }
}

/** Asks for the premises of its devices that nobody holds yet. */
async function claimNew({ store, now }: IngestDeps, gateway: GatewayRecord, records: readonly SyncRecord[]) {
  const wanted = new Map<string, Premises>()
  for (const { kind, row } of records) {
    if (kind !== 'device') continue
    const { companyId, premisesCode } = row
    wanted.set(premisesKey(row), { companyId, premisesCode })
  }
  const holders = wanted.size === 0 ? [] : await store.gateways.claims.holders([...wanted.values()], gateway.tenantId)
  for (const held of holders) wanted.delete(premisesKey(held))
  if (wanted.size === 0) return
  await claimPremises(store, gateway, [...wanted.values()], now)
}

/** @throws FiskError when the gateway was revoked, or its session replaced, while its push was on the way */
async function stillHeard(
  tx: Pick<StoreTransaction, 'gateways'>,
  { id, name }: GatewayRecord,
  session: string,
  at: EpochMs,
) {
  await tx.gateways.hear(id, at)
  const current = await tx.gateways.get(id)
  if (!current || current.revokedAt !== null) throw new FiskError('gateway_revoked', `the gateway ${name} was revoked`)
  if (current.session !== session) {
    throw new FiskError('sync_session_replaced', 'another process of this gateway has said hello since')
  }
  return current
}

type Ingesting = Pick<StoreTransaction, 'companies' | 'gateways' | 'replicas'>

/** A batch as a whole; where something in it breaks a rule of the database, record by record to find out what. */
async function store(tx: Ingesting, gateway: GatewayRecord, records: readonly SyncRecord[]): Promise<Verdict> {
  const whole = await judge(tx, gateway, records)
  if ((await faultOf(() => tx.replicas.write(gateway, whole.changes))) === undefined) return whole
  const all: Verdict = { ...whole, taken: [], refused: [], companies: [], renamed: [] }
  for (const record of records) {
    const verdict = await judge(tx, gateway, [record])
    const fault = await faultOf(() => tx.replicas.write(gateway, verdict.changes))
    if (fault) all.refused.push({ kind: record.kind, id: record.id, version: record.version, ...fault })
    else
      for (const name of ['taken', 'refused', 'companies', 'renamed'] as const)
        all[name].push(...(verdict[name] as never[]))
  }
  return all
}

async function judge(tx: Ingesting, gateway: GatewayRecord, records: readonly SyncRecord[]): Promise<Verdict> {
  const known = await tx.replicas.known(records)
  const foreign = known.claims.filter(({ gatewayId }) => gatewayId !== gateway.id)
  const names = await holderNames(tx, gateway.tenantId, foreign)
  const companies = await companiesOf(tx, gateway)
  const holderOf = (companyId: string, premisesCode: string) => {
    const claim = foreign.find((one) => one.companyId === companyId && one.premisesCode === premisesCode)
    return names.get(claim?.gatewayId ?? '') ?? 'somebody else'
  }
  return decide(gateway, records, known, companies, holderOf, await acceptedOf(tx, gateway, records))
}

async function acceptedOf(
  tx: Pick<StoreTransaction, 'gateways'>,
  { id }: GatewayRecord,
  records: readonly SyncRecord[],
) {
  const invoices = records.filter(({ kind }) => kind === 'invoice').map((record) => record.id)
  const accepted = new Map<string, Acceptance>()
  for (const refusal of await tx.gateways.refusals.ofInvoices(id, invoices)) {
    if (refusal.code === ACCEPTED.aside) accepted.set(refusal.id, 'aside')
    if (refusal.code === ACCEPTED.counted) accepted.set(refusal.id, 'counted')
  }
  return accepted
}

async function faultOf(write: () => Promise<void>): Promise<Pick<WireRefusal, 'code' | 'message'> | undefined> {
  try {
    await write()
    return undefined
  } catch (error) {
    if (error instanceof Duplicate) {
      return { code: 'already_taken', message: 'something of it that is unique stands in another row' }
    }
    if (error instanceof BrokenRule)
      return { code: 'invalid_record', message: `the database refuses it: ${error.rule}` }
    throw error
  }
}

async function noteRefusals(
  tx: Pick<StoreTransaction, 'gateways'>,
  { id }: GatewayRecord,
  taken: Verdict['taken'],
  refused: readonly WireRefusal[],
  refusedAt: EpochMs,
): Promise<void> {
  if (taken.length > 0) await tx.gateways.refusals.remove(id, taken)
  // A kind that this version does not know is kept by its name.
  const kept = refused.map((refusal) => ({ ...refusal, kind: refusal.kind as SyncKind, refusedAt }))
  if (kept.length > 0) await tx.gateways.refusals.put(id, kept)
}

async function conflictsOf(
  { store, onConflicts }: IngestDeps,
  gateway: GatewayRecord,
  companies: readonly CompanyConflict[],
  renamed: Verdict['renamed'],
): Promise<PushResponse['conflicts']> {
  if (companies.length === 0 && renamed.length === 0) return []
  const labels = renamed.map(({ row }) => row.label)
  const isuNumbers = renamed.flatMap(({ row }) => row.isuNumber ?? [])
  const found = renamed.length === 0 ? [] : await store.gateways.conflicts(gateway.tenantId, { labels, isuNumbers })
  if (found.length > 0) await onConflicts(gateway, found)
  const names = await store.gateways.names(found.flatMap(({ devices }) => devices.map(({ gatewayId }) => gatewayId)))
  const ofCompanies = companies.map(({ oib, fields }): WireConflict => {
    const message = `company ${oib} differs from what is stored here: ${fields.join(', ')}; what is stored here stays`
    return { what: 'company', value: oib, devices: [], message }
  })
  return [...ofCompanies, ...found.map((conflict) => wireConflict(conflict, names))]
}

const WHAT = { label: 'the label', isu_number: 'the ISU number' }

function wireConflict({ what, value, devices }: FleetConflict, names: ReadonlyMap<string, string>): WireConflict {
  const nameOf = (gatewayId: string) => names.get(gatewayId) ?? 'this server'
  const holders = devices.map(({ gatewayId, premisesCode }) => `${nameOf(gatewayId)} (premises ${premisesCode})`)
  return {
    what,
    value,
    devices: devices.map(({ id, gatewayId, label, premisesCode }) => ({
      id,
      gateway: nameOf(gatewayId),
      label,
      premises_code: premisesCode,
    })),
    message: `${WHAT[what]} ${value} stands at ${holders.join(' and ')}`,
  }
}
