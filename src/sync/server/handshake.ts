import { FiskError } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import { FARTHEST_HEARD } from '../../domain/sync-bounds.ts'
import type { GatewayRecord } from '../../fiscal/ports/gateways.ts'
import type { Store, StoreTransaction } from '../../fiscal/ports/store.ts'
import {
  type EnrollRequest,
  type EnrollResponse,
  type HelloRequest,
  type HelloResponse,
  PROTOCOL,
} from '../wire/messages.ts'
import { encodePlace, signNumbers } from '../wire/numbers.ts'
import { hashOf } from './authenticate.ts'
import { type CompanyIds, companyIdsOf, withWireIds } from './company-ids.ts'
import { predecessorOf } from './identity.ts'
import { claimFree, claimPremises, premisesTaken, unknownGateway } from './premises.ts'

export interface HandshakeDeps {
  store: Pick<Store, 'companies' | 'gateways' | 'transaction'>
  now: () => EpochMs
  /** Version of fiskd. */
  program: string
  serverId: () => Promise<string>
  /** What commands are signed with: Ed25519, SPKI DER as base64url. */
  serverKey: () => Promise<string>
  /** What signs with it, base64url. */
  signing: () => Promise<(bytes: Buffer) => string>
  /** Writes down in the transaction that a gateway has enrolled. */
  noteEnrolment: (tx: StoreTransaction, gateway: GatewayRecord, host: string) => Promise<void>
}

/**
 * Exchanges a token for the credential that the gateway has made for itself. The same token with the same credential is
 * answered the same until the token is too old: an answer that was lost does no harm.
 * @throws FiskError `sync_token_invalid`, `premises_owned_by_gateway`, `sync_protocol_unsupported`; nothing is changed then
 */
export async function enroll(deps: HandshakeDeps, request: EnrollRequest): Promise<EnrollResponse> {
  requireProtocol(request.protocol, deps.program)
  const { store, now } = deps
  const [unused, used] = tokenHashesOf(request.token, request.credential_hash)
  let ids = NO_COMPANIES
  const named = (await store.gateways.byTokenHash(used)) ?? (await store.gateways.byTokenHash(unused))
  if (!named) throw invalidToken()
  const { before, ...gateway } = await store.transaction(async (tx) => {
    await tx.subjects.hold('premises', `gateway ${named.id}`)
    const at = now()
    const repeated = await tx.gateways.byTokenHash(used)
    const found = repeated ?? (await tx.gateways.byTokenHash(unused))
    if (found?.id !== named.id || (found.tokenExpiresAt ?? 0) <= at) throw invalidToken()
    // The credential has ended since: the gateway has left.
    if (repeated && repeated.credentialHash !== request.credential_hash) throw invalidToken()
    ids = await companyIdsOf(tx, found.tenantId, companiesIn(request))
    const [taken] = await claimFree(tx, found, premisesOf(request, ids), at)
    if (taken) throw premisesTaken(taken)
    const before = predecessorOf(found, await tx.audit.latest('database.restored'))
    if (repeated) return { ...repeated, before }
    const changes = {
      tokenHash: used,
      credentialHash: request.credential_hash,
      publicKey: request.public_key,
      enrolledAt: at,
      revokedAt: null,
      session: null,
      sessionBefore: null,
      strikes: 0,
      duplicatedAt: null,
      // The gateway counts the commands of this enrolment from the beginning.
      lastCommand: 0,
    }
    // The gateway would not believe numbers this high: its outbox was used up, or its credential was misused.
    if (Math.max(found.position, found.heard) > request.last + FARTHEST_HEARD)
      await tx.gateways.forgetPositions(found.id)
    await tx.gateways.update(found.id, changes)
    await deps.noteEnrolment(tx, found, request.host)
    return { ...found, ...changes, before }
  })
  return { ...(await answerTo(deps, gateway, ids, request.nonce)), server_key: await deps.serverKey(), before }
}

async function answerTo(deps: HandshakeDeps, { id, name }: GatewayRecord, ids: CompanyIds, nonce: string) {
  const { store, program, signing } = deps
  const numbers = (await withWireIds(store, await store.gateways.numbers(id), ids)).map(encodePlace)
  return {
    gateway_id: id,
    name,
    protocol: PROTOCOL,
    program,
    server_id: await deps.serverId(),
    numbers,
    numbers_signature: signNumbers({ gatewayId: id, nonce, numbers }, await signing()),
  }
}

const invalidToken = () =>
  new FiskError('sync_token_invalid', 'the token is unknown, used or too old: make a new one on the server', {
    param: 'token',
  })

/**
 * What a token is known by before it is used, and afterwards: then it is worth something only together with the credential
 * that it was exchanged for. What follows the token itself says which CA to believe, and is nothing to the server.
 */
function tokenHashesOf(token: string, credentialHash: string): [unused: string, used: string] {
  const secret = token.slice(0, 'fisk_enroll_'.length + 43)
  return [hashOf(secret), hashOf(`${secret} ${credentialHash}`)]
}

/** The first word of a process of a gateway: from now on it is the one that is heard. */
export async function hello(
  deps: HandshakeDeps,
  { id, tenantId }: GatewayRecord,
  session: string,
  request: HelloRequest,
): Promise<HelloResponse> {
  const { store, now, program } = deps
  requireProtocol(request.protocol, program)
  const ids = await companyIdsOf(store, tenantId, companiesIn(request))
  // What others hold is refused record by record: it does not keep the rest from being told.
  const taken = await claimPremises(store, { id }, premisesOf(request, ids), now)
  const gateway = await store.transaction(async (tx) => {
    await tx.subjects.hold(`gateway ${id}`)
    const found = await tx.gateways.get(id)
    if (!found) throw unknownGateway()
    const isNew = session !== found.session && session !== found.sessionBefore
    const changes = {
      lastSeenAt: now(),
      ...(session !== found.session && { session, sessionBefore: found.session }),
      ...(isNew && { strikes: 0 }),
    }
    await tx.gateways.update(id, changes)
    return found
  })
  const { position, heard, reportedAt, heartbeat } = gateway
  return {
    ...(await answerTo(deps, gateway, ids, request.nonce)),
    position,
    heard,
    taken: taken.map((one) => ({
      company_id: ids.onTheWire(one.companyId),
      premises_code: one.premisesCode,
      message: premisesTaken(one).message,
    })),
    reported:
      reportedAt === null
        ? null
        : { at: reportedAt, ago_ms: Math.max(0, now() - reportedAt), waiting: heartbeat?.outbox.waiting ?? 0 },
  }
}

type NamedPremises = Pick<HelloRequest, 'premises'>

const companiesIn = ({ premises }: NamedPremises) => premises.map(({ company_id }) => company_id)

function premisesOf({ premises }: NamedPremises, { here }: CompanyIds) {
  return premises.map((one) => ({ companyId: here(one.company_id), premisesCode: one.premises_code }))
}

const NO_COMPANIES: CompanyIds = { here: (id) => id, onTheWire: (id) => id }

/** @throws FiskError `sync_protocol_unsupported` */
function requireProtocol(protocol: number, program: string): void {
  if (protocol === PROTOCOL) return
  throw new FiskError(
    'sync_protocol_unsupported',
    `the gateway speaks version ${protocol} of the sync protocol, this server (fiskd ${program}) version ${PROTOCOL}`,
    { param: 'protocol' },
  )
}
