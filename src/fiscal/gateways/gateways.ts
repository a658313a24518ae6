import { createHash, randomBytes } from 'node:crypto'
import { conflict, invalidRequest, notFound } from '../../domain/errors.ts'
import { DAY_MS, type EpochMs } from '../../domain/instant.ts'
import { audit } from '../access/audit-log.ts'
import { type Principal, reachesCompany, requireAllCompanies, requireScope } from '../access/principal.ts'
import type { Context, CreatingContext } from '../context.ts'
import type { Refusal } from '../ports/enrolment.ts'
import type { FleetConflict, GatewayRecord, Premises } from '../ports/gateways.ts'
import type { Subject } from '../ports/rows/subjects.ts'
import { Duplicate, type StoreTransaction } from '../ports/store.ts'
import { type Keep, keeping } from '../sales/idempotency.ts'

export type GatewayState = 'awaiting_token' | 'connected' | 'silent' | 'duplicated' | 'left' | 'revoked'

/** What the state of a gateway follows from. */
export type GatewayContact = Pick<
  GatewayRecord,
  'createdAt' | 'enrolledAt' | 'credentialHash' | 'revokedAt' | 'duplicatedAt' | 'lastSeenAt'
>

export interface GatewaySummary {
  gateway: GatewayRecord
  state: GatewayState
  /** How many records from it are refused. */
  refused: number
}

export interface GatewayDetails extends GatewaySummary {
  premises: Premises[]
  refusals: Refusal[]
  conflicts: FleetConflict[]
}

/** A gateway and the token that its machine enrols with. The token is shown only here. */
export interface AddedGateway {
  gateway: GatewayRecord
  token: string
}

export interface GatewayDeps extends CreatingContext {
  /** SHA-256 of the DER of the CA certificate that issued the server's TLS certificate. */
  caHash: () => Promise<Buffer>
}

export const SILENT_AFTER_MS = 15 * 60_000
const TOKEN_LASTS_MS = DAY_MS
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/
const REFUSALS_SHOWN = 50

/**
 * Creates a gateway, or (`again`) a new token for one whose machine or card was replaced: its premises and rows stay,
 * and the old machine is refused once it is exchanged. @throws FiskError 409 for a taken name, 404 with `again`
 */
export async function addGateway(
  { store, clock, newUuid, caHash }: GatewayDeps,
  principal: Principal,
  { name, again }: { name: string; again: boolean },
  keep?: Keep<AddedGateway>,
): Promise<AddedGateway> {
  requireScope(principal, 'fleet:write')
  requireAllCompanies(principal)
  if (!NAME.test(name)) {
    const message = 'name must be 1 to 63 letters, digits, dots, hyphens or underscores'
    throw invalidRequest('name', message, 'gateway_name_wrong')
  }
  const secret = `fisk_enroll_${randomBytes(32).toString('base64url')}`
  const token = `${secret}_${(await caHash()).toString('base64url')}`
  const now = clock.now()
  const once = { tokenHash: createHash('sha256').update(secret).digest('hex'), tokenExpiresAt: now + TOKEN_LASTS_MS }
  const known = again ? await findGateway(store, principal, name) : undefined
  return keeping(store, keep, async (tx) => {
    const gateway = known ? await renew(tx, await holdGateway(tx, known)) : await insert(tx)
    return { gateway, token }
  })

  async function renew(tx: StoreTransaction, found: GatewayRecord): Promise<GatewayRecord> {
    await tx.gateways.update(found.id, once)
    await audit(tx, principal, now, 'gateway.token_made', { id: found.id, name: found.name })
    return { ...found, ...once }
  }

  async function insert(tx: StoreTransaction): Promise<GatewayRecord> {
    const made = newGateway({ id: newUuid(), tenantId: principal.tenantId, name, createdAt: now, ...once })
    await insertNamed(tx, made)
    await audit(tx, principal, now, 'gateway.added', { id: made.id, name })
    return made
  }
}

async function insertNamed(tx: Pick<StoreTransaction, 'gateways'>, gateway: GatewayRecord): Promise<void> {
  try {
    await tx.gateways.insert(gateway)
  } catch (error) {
    if (!(error instanceof Duplicate)) throw error
    const message = `there is a gateway ${gateway.name} already: add --again for a new token for it`
    throw conflict('name', message, 'gateway_name_taken')
  }
}

function newGateway(
  known: Pick<GatewayRecord, 'id' | 'tenantId' | 'name' | 'createdAt' | 'tokenHash' | 'tokenExpiresAt'>,
): GatewayRecord {
  return {
    ...known,
    credentialHash: null,
    publicKey: null,
    enrolledAt: null,
    revokedAt: null,
    position: 0,
    heard: 0,
    session: null,
    sessionBefore: null,
    strikes: 0,
    duplicatedAt: null,
    lastCommand: 0,
    lastSeenAt: null,
    reportedAt: null,
    heartbeat: null,
    companies: null,
  }
}

/** The tenant's gateways, by name; for a limited principal those that sell for no other companies. */
export async function listGateways(deps: Context, principal: Principal): Promise<GatewaySummary[]> {
  requireScope(principal, 'fleet:read')
  const all = await gatewaysOf(deps, principal.tenantId)
  if (principal.companyIds === null) return all
  const sellsFor = await deps.store.gateways.sellsFor(principal.tenantId)
  return all.filter(({ gateway }) => sellsFor.get(gateway.id)?.every((id) => reachesCompany(principal, id)))
}

async function gatewaysOf({ store, clock }: Context, tenantId: string): Promise<GatewaySummary[]> {
  const refused = await store.gateways.refusals.counts()
  const all = await store.gateways.list(tenantId)
  const now = clock.now()
  return all.map((gateway) => summaryOf(gateway, refusedOf(gateway, refused), now))
}

/** How many of its records are not here: refused here, or set aside there because this server has failed at them. */
export function refusedOf({ id, heartbeat }: GatewayRecord, refused: ReadonlyMap<string, number>): number {
  return Math.max(refused.get(id) ?? 0, heartbeat?.outbox.refused ?? 0)
}

export function summaryOf(gateway: GatewayRecord, refused: number, now: EpochMs): GatewaySummary {
  return { gateway, state: stateOf(gateway, now), refused }
}

/** @param ref its name or id @throws FiskError 404, `insufficient_scope` for a limited principal */
export async function showGateway(
  { store, clock }: Context,
  principal: Principal,
  ref: string,
): Promise<GatewayDetails> {
  requireScope(principal, 'fleet:read')
  requireAllCompanies(principal)
  const gateway = await findGateway(store, principal, ref)
  const all = await store.gateways.conflicts(principal.tenantId)
  return {
    gateway,
    state: stateOf(gateway, clock.now()),
    refused: refusedOf(gateway, await store.gateways.refusals.counts()),
    premises: await store.gateways.claims.ofGateway(gateway.id),
    refusals: await store.gateways.refusals.list(gateway.id, REFUSALS_SHOWN),
    conflicts: all.filter(({ devices }) => devices.some(({ gatewayId }) => gatewayId === gateway.id)),
  }
}

/**
 * Revokes the credential of a gateway; every process of the server refuses its next request. Its rows stay, and also
 * its premises, because it is unknown whether it still sells.
 * @param release also releases its premises: only when it does not sell any more
 */
export async function revokeGateway(
  { store, clock }: Context,
  principal: Principal,
  ref: string,
  { release }: { release: boolean },
  keep?: Keep<GatewayRecord>,
): Promise<GatewayRecord> {
  requireScope(principal, 'fleet:write')
  requireAllCompanies(principal)
  const found = await findGateway(store, principal, ref)
  return keeping(store, keep, async (tx) => {
    const gateway = await holdGateway(tx, found, 'premises')
    const now = clock.now()
    const changes = { revokedAt: gateway.revokedAt ?? now, tokenHash: null, tokenExpiresAt: null }
    await tx.gateways.update(gateway.id, changes)
    if (release) await tx.gateways.claims.release(gateway.id, now)
    await audit(tx, principal, now, 'gateway.revoked', { id: gateway.id, name: gateway.name, released: release })
    return { ...gateway, ...changes }
  })
}

/** @param ref its name or id @throws FiskError 404 when the tenant has no such gateway */
export async function findGateway(
  tx: Pick<StoreTransaction, 'gateways'>,
  { tenantId }: Pick<Principal, 'tenantId'>,
  ref: string,
): Promise<GatewayRecord> {
  const gateway = (await tx.gateways.named(tenantId, ref)) ?? (await tx.gateways.get(ref))
  if (gateway?.tenantId === tenantId) return gateway
  throw notFound('gateway', `there is no gateway ${ref}: see fisk gateway list`)
}

/** The gateway once this transaction holds it: call it first there. @param also other subjects that it needs */
export async function holdGateway(
  tx: Pick<StoreTransaction, 'gateways' | 'subjects'>,
  { id, name }: Pick<GatewayRecord, 'id' | 'name'>,
  ...also: Subject[]
): Promise<GatewayRecord> {
  await tx.subjects.hold(`gateway ${id}`, ...also)
  const gateway = await tx.gateways.get(id)
  if (gateway) return gateway
  throw notFound('gateway', `there is no gateway ${name}: see fisk gateway list`)
}

export function stateOf(gateway: GatewayContact, now: EpochMs): GatewayState {
  const { revokedAt, credentialHash, enrolledAt, duplicatedAt } = gateway
  if (revokedAt !== null) return 'revoked'
  if (enrolledAt === null) return 'awaiting_token'
  if (credentialHash === null) return 'left'
  if (duplicatedAt !== null) return 'duplicated'
  return now - heardAt(gateway) >= SILENT_AFTER_MS ? 'silent' : 'connected'
}

export function heardAt({ lastSeenAt, enrolledAt, createdAt }: GatewayContact): EpochMs {
  return Math.max(lastSeenAt ?? 0, enrolledAt ?? createdAt)
}
