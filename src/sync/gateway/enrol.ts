import { createHash, X509Certificate } from 'node:crypto'
import { hostname } from 'node:os'
import { attempt } from '../../domain/attempt.ts'
import { conflict, FiskError, invalidRequest } from '../../domain/errors.ts'
import { FARTHEST_HEARD } from '../../domain/sync-bounds.ts'
import type { EnrolOrder } from '../../fiscal/ports/central-server.ts'
import type { KeptFacts } from '../../fiscal/ports/kept-facts.ts'
import { certificateBlocks } from '../../x509/pem.ts'
import { checkOf } from '../wire/check-value.ts'
import { ENROLLMENT_TOKEN, EnrollResponse, PROTOCOL } from '../wire/messages.ts'
import { decodePlace } from '../wire/numbers.ts'
import type { ConnectionDeps } from './connection.ts'
import { SyncFailure } from './failure.ts'
import { areBelievable, type HandshakeDeps, keepNumbers, newNonce, premisesOf, wirePremises } from './handshake.ts'
import { keepPredecessor } from './identity.ts'
import { credentialHash, forgetSeed, publicKeyOf, seal, secretsFor } from './secrets.ts'
import { createTransport } from './transport.ts'

const checkEnrolled = checkOf(EnrollResponse)
const TIMEOUT_MS = 20_000

/**
 * Exchanges a one-time token for a credential of our own, which can be made again for this token: when the answer is
 * lost, the same token brings the same answer. An enrolment from before is replaced only then, and what the server has
 * seen of our numbers is kept in the same transaction.
 * @throws FiskError that says what to do; the enrolment is what it was then
 */
export async function enrol(
  deps: Omit<HandshakeDeps, 'connection'> &
    Pick<ConnectionDeps, 'vault' | 'transportTo'> & { keep: KeptFacts; timeoutMs?: number },
  { url, token, caPem, tenantId }: EnrolOrder,
): Promise<void> {
  const { store, vault, keep, program, now, transportTo = createTransport, timeoutMs = TIMEOUT_MS } = deps
  const fingerprint = fingerprintIn(token, caPem)
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:') {
    throw invalidRequest('url', 'the address of the server begins with https://, such as https://fisk.example.com:8443')
  }
  const believed = caPem ?? (await explained(() => fetchCa(transportTo, url, fingerprint, timeoutMs)))
  const secrets = await secretsFor(token, keep, vault)
  const last = await store.outbox.last()
  // Ordinary changes never reach this number: the positions of the outbox are nearly or completely used up.
  const beginsAnew = last > FARTHEST_HEARD
  const nonce = newNonce()
  const body = {
    token,
    protocol: PROTOCOL,
    program,
    host: hostname().slice(0, 200),
    last: beginsAnew ? 0 : last,
    credential_hash: credentialHash(secrets.credential),
    public_key: publicKeyOf(secrets.privateKey),
    premises: wirePremises(await premisesOf(store, tenantId)),
    nonce,
  }
  const transport = transportTo({ url, caPem: believed })
  try {
    const answer = await explained(() =>
      transport.ask({
        path: '/enroll',
        body: { json: JSON.stringify(body) },
        timeoutMs,
        check: checkEnrolled,
      }),
    )
    const { gateway_id: gatewayId, name, server_id: serverId, server_key: serverKey } = answer
    const isBelieved = areBelievable(answer, { gatewayId, serverKey }, nonce)
    await keepPredecessor(keep, answer.before)
    await store.transaction(async (tx) => {
      await tx.enrolment.put({
        tenantId,
        url,
        caPem: believed,
        ...seal(vault, secrets),
        sealedLinks: null,
        gatewayId,
        name,
        serverId,
        serverKey,
        position: 0,
        pushed: 0,
        tellAgainTo: null,
        toldAt: null,
        serverProgram: null,
        numbers: [],
        lastCommand: 0,
        enrolledAt: now(),
      })
      if (beginsAnew) await tx.outbox.beginAnew()
      await keepNumbers(deps, tx, { numbers: [] }, { numbers: answer.numbers.map(decodePlace), isBelieved })
    })
    await forgetSeed(keep)
  } finally {
    await transport.close()
  }
}

/** @returns SHA-256 of the CA certificate's DER, base64url; null where another one is to be believed */
function fingerprintIn(token: string, caPem: string | null): string {
  const [, , fingerprint] = ENROLLMENT_TOKEN.exec(token) ?? []
  if (fingerprint !== undefined) return fingerprint
  if (caPem !== null && /^fisk_enroll_[A-Za-z0-9_-]{43}$/.test(token)) return ''
  throw invalidRequest(
    'token',
    'this is no token: copy the whole line that `fisk gateway add NAME` shows on the server',
  )
}

/** Over a connection that nothing vouches for yet; nothing secret is said on it, and what comes back is proven. */
async function fetchCa(
  transportTo: typeof createTransport,
  url: string,
  fingerprint: string,
  timeoutMs: number,
): Promise<string> {
  const transport = transportTo({ url, caPem: null, verify: false })
  try {
    const pem = await transport.text({ method: 'GET', path: '/ca', timeoutMs })
    const found = certificateBlocks(pem).find((one) => hasFingerprint(one, fingerprint))
    if (found) return `${found}\n`
    throw invalidRequest(
      'token',
      'the server at this address has another CA than the one that the token was made for: somebody else may be ' +
        'answering, or the token is of another server; where a balancer has a certificate of its own, use --ca FILE',
    )
  } finally {
    await transport.close()
  }
}

function hasFingerprint(pem: string, fingerprint: string): boolean {
  return attempt(
    () => createHash('sha256').update(new X509Certificate(pem).raw).digest('base64url') === fingerprint,
    false,
  )
}

const NO_SERVER =
  'what answers there is no central server of fiskd (FISKD_ROLE=server): another gateway perhaps; see the address'

const TOLD = ['sync_token_invalid', 'premises_owned_by_gateway', 'sync_protocol_unsupported', 'rate_limited'] as const

/** The server's own words where we know its code, else as something about the address. */
async function explained<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof SyncFailure)) throw error
    if (error.status === 404) throw conflict('url', NO_SERVER)
    const code = TOLD.find((one) => one === error.code)
    if (!code) throw conflict('url', `not enrolled: ${error.message}`)
    const param = code === 'sync_token_invalid' ? { param: 'token' } : {}
    throw new FiskError(code, error.message, { cause: error, ...param })
  }
}
