import { FiskError } from '../../domain/errors.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { Store, StoreTransaction } from '../../fiscal/store-port.ts'
import type { GatewayRecord } from '../../fiscal/sync-port.ts'
import {
  type EnrollRequest,
  type EnrollResponse,
  type HelloRequest,
  type HelloResponse,
  PROTOCOL,
} from '../wire/messages.ts'
import { encodeNumber } from '../wire/numbers.ts'
import { hashOf } from './identify.ts'
import { claimFree, premisesTaken } from './premises.ts'
import { requireProtocol } from './protocol.ts'

export interface GreetDeps {
  store: Store
  now: () => EpochMs
  /** Version of fiskd. */
  program: string
  serverId: () => Promise<string>
  /** What commands are signed with: Ed25519, SPKI DER as base64url. */
  serverKey: () => Promise<string>
  /** Writes down in the transaction that a gateway has enrolled. */
  noteEnrolment: (tx: StoreTransaction, gateway: GatewayRecord, host: string) => Promise<void>
}

/**
 * Exchanges a token for the credential that the gateway has made for itself. The same token with the same credential is
 * answered the same until the token is too old: an answer that was lost does no harm.
 * @throws FiskError `sync_token_invalid`, `premises_owned_by_gateway`, `sync_protocol_unsupported`; nothing is changed then
 */
export async function enroll(deps: GreetDeps, request: EnrollRequest): Promise<EnrollResponse> {
  const { store, now, program } = deps
  requireProtocol(request.protocol, program)
  const [unused, used] = tokenHashesOf(request.token, request.credential_hash)
  const gateway = await store.transaction(async (tx) => {
    const at = now()
    const repeated = await tx.gateways.byTokenHash(used)
    const found = repeated ?? (await tx.gateways.byTokenHash(unused))
    if (!found || (found.tokenExpiresAt ?? 0) <= at) throw invalidToken()
    // The credential has ended since: the gateway has left.
    if (repeated && repeated.credentialHash !== request.credential_hash) throw invalidToken()
    const [taken] = await claimFree(tx, found, premisesOf(request), at)
    if (taken) throw premisesTaken(taken)
    if (repeated) return repeated
    const changes = {
      ...{ tokenHash: used, credentialHash: request.credential_hash, publicKey: request.public_key, enrolledAt: at },
      ...{ revokedAt: null, session: null, sessionBefore: null, strikes: 0, duplicatedAt: null },
    }
    await tx.gateways.update(found.id, changes)
    await deps.noteEnrolment(tx, found, request.host)
    return { ...found, ...changes }
  })
  return {
    ...{ gateway_id: gateway.id, name: gateway.name, protocol: PROTOCOL, program },
    ...{ server_id: await deps.serverId(), server_key: await deps.serverKey() },
    numbers: (await store.gateways.numbers(gateway.id)).map(encodeNumber),
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
export function tokenHashesOf(token: string, credentialHash: string): [unused: string, used: string] {
  const secret = token.slice(0, 'fisk_enroll_'.length + 43)
  return [hashOf(secret), hashOf(`${secret} ${credentialHash}`)]
}

/** The first word of a process of a gateway: from now on it is the one that is heard. */
export async function hello(
  deps: GreetDeps,
  { id }: GatewayRecord,
  session: string,
  request: HelloRequest,
): Promise<HelloResponse> {
  const { store, now, program } = deps
  requireProtocol(request.protocol, program)
  const { gateway, taken } = await store.transaction(async (tx) => {
    const found = await tx.gateways.get(id)
    if (!found) throw new FiskError('gateway_unknown', 'this server knows no such gateway')
    // What others hold is refused record by record: it does not keep the rest from being told.
    const others = await claimFree(tx, found, premisesOf(request), now())
    const isNew = session !== found.session && session !== found.sessionBefore
    const changes = {
      lastSeenAt: now(),
      ...(session !== found.session && { session, sessionBefore: found.session }),
      ...(isNew && { strikes: 0 }),
    }
    await tx.gateways.update(id, changes)
    return { gateway: found, taken: others }
  })
  const { name, mark, heard, reportedAt, heartbeat } = gateway
  return {
    ...{ gateway_id: id, name, mark, heard, protocol: PROTOCOL, program },
    server_id: await deps.serverId(),
    numbers: (await store.gateways.numbers(id)).map(encodeNumber),
    taken: taken.map((one) => ({
      ...{ company_id: one.companyId, premises_code: one.premisesCode, message: premisesTaken(one).message },
    })),
    reported:
      reportedAt === null
        ? null
        : { at: reportedAt, ago_ms: Math.max(0, now() - reportedAt), waiting: heartbeat?.outbox.waiting ?? 0 },
  }
}

function premisesOf({ premises }: Pick<HelloRequest, 'premises'>) {
  return premises.map((one) => ({ companyId: one.company_id, premisesCode: one.premises_code }))
}
