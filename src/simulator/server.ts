import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { CONTROL_PATH, control } from './control.ts'
import { send } from './delivery.ts'
import type { RegisteredDevice } from './judge-receipt.ts'
import { createLedger, type ReceivedMessage } from './ledger.ts'
import type { Misbehaviour } from './misbehaviours.ts'
import { createPlans } from './misbehaviours.ts'
import { createPki, type Pki } from './pki.ts'
import { createRequestLedger } from './requests/request-ledger.ts'
import { serve } from './service.ts'
import type { SignatureHash } from './sign.ts'
import { createSigners } from './signers.ts'
import { faultEnvelope } from './soap.ts'

export interface SimulatorOptions {
  /** Default 0: any free port. */
  port?: number
  /** Default `127.0.0.1`. The TLS certificate is for 127.0.0.1, ::1, localhost and cis.test only. */
  host?: string
  /** Default: a new one. */
  pki?: Pki
  /** The authority's clock, epoch milliseconds. */
  now?: () => number
  /** Default `test`. `live` answers under the live path and signs as `fiskalcis`. */
  mode?: 'test' | 'live'
  /** Called for every `racuni` request when the queue is empty and `always` is not set; null means no misbehaviour. */
  mood?: () => Misbehaviour | null
  /** Called for each message after processing and before the answer. */
  onMessage?: (message: ReceivedMessage) => void
}

export type Simulator = Awaited<ReturnType<typeof startSimulator>>

const PATHS = { test: '/FiskalizacijaServiceTest', live: '/FiskalizacijaService' } as const
const MAX_REQUEST_BYTES = 1024 * 1024

/** Starts a simulator with TLS on loopback; resolves when it listens. */
export async function startSimulator(options: SimulatorOptions = {}) {
  const { host = '127.0.0.1', now = Date.now, mode = 'test' } = options
  const pki = options.pki ?? (await createPki())
  const requests = createRequestLedger()
  const [ledger, plans] = [createLedger(requests.fiscalized), createPlans(options.mood)]
  const signers = await createSigners(pki, mode, now)
  const parts = {
    ledger,
    requests,
    plans,
    signers,
    context: () => ({ pki, now: now(), registry: simulator.registry }),
    onMessage: options.onMessage ?? (() => {}),
    hash: () => simulator.hash,
    signsNothing: () => simulator.signsNothing,
    hasCheck: mode === 'test',
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request)
    if (body === null) return refuse(response, 413, 'request too large')
    if (request.url?.startsWith(CONTROL_PATH)) return control(request, response, body, simulator)
    if (request.url !== PATHS[mode]) return refuse(response, 404, 'no service here')
    if (request.method !== 'POST') return refuse(response, 405, 'POST only')
    if (!/^text\/xml\b/i.test(request.headers['content-type'] ?? '')) return refuse(response, 415, 'text/xml only')
    await serve(request, response, body, parts)
  }

  // Only the leaf is sent, as by the real service: a client needs the issuing CA in its bundle.
  const server = createServer({ cert: pki.tls.certPem, key: pki.tls.keyPem, minVersion: 'TLSv1.2' })
  server.on('request', (request, response) => {
    // A client that disconnects is not a fault; `close` ends any sending in progress.
    response.on('error', () => {})
    response.setHeader('date', new Date(now() + simulator.dateAheadMs).toUTCString())
    handle(request, response).catch((error: unknown) => {
      if (response.headersSent || response.destroyed) response.destroy()
      else send(response, { status: 500, body: faultEnvelope('Server', String(error)) })
    })
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  const listen = async (port: number): Promise<void> => {
    server.listen(port, host)
    await once(server, 'listening')
  }

  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      if (server.listening) server.close(() => resolve())
      else resolve()
      for (const socket of sockets) socket.destroy()
    })

  await listen(options.port ?? 0)
  const { port } = server.address() as AddressInfo
  const simulator = {
    url: `https://${host.includes(':') ? `[${host}]` : host}:${port}${PATHS[mode]}`,
    pki,
    /** Every processed `racuni` message, the oldest first. */
    received: ledger.received,
    /** Every processed message that is no sale, the oldest first. */
    requested: requests.requested,
    /** Registered premises and ISU numbers (codes 182 to 184); with null, the default, any is accepted. May be set. */
    registry: null as RegisteredDevice[] | null,
    /** The hash of genuine signatures. May be set. */
    hash: 'sha256' as SignatureHash,
    /** How far the `Date` header of every answer is ahead of the service's clock. May be set. */
    dateAheadMs: 0,
    /** Whether an empty envelope gets a signed `s006`, the default, or a SOAP fault. May be set. */
    signsNothing: true,
    /** Queues misbehaviours; each request but an echo takes one, in order. */
    misbehave(...list: Misbehaviour[]): void {
      signers.prepare(list)
      plans.add(list)
    },
    /** For every such request when the queue is empty, and outages also for an echo; null ends it. */
    always(behaviour: Misbehaviour | null): void {
      signers.prepare([behaviour])
      plans.always(behaviour)
    },
    /** Resolves when the keys for the misbehaviours so far are ready; earlier answers wait for them. */
    prepared: () => signers.prepared(),
    /** Refuses connections and destroys the existing ones. */
    goDown: stop,
    /** Listens again, on the same port. */
    comeBack: () => (server.listening ? Promise.resolve() : listen(port)),
    /** Destroys every connection, also of unanswered requests, and stops. May be called twice. */
    close: stop,
  }
  return simulator
}

/** The request's body as text; null when it is too long. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request) {
    length += chunk.length
    if (length <= MAX_REQUEST_BYTES) chunks.push(chunk)
  }
  return length > MAX_REQUEST_BYTES ? null : Buffer.concat(chunks).toString('utf8')
}

function refuse(response: ServerResponse, status: number, text: string): void {
  send(response, { status, body: text, headers: { 'content-type': 'text/plain' } })
}
