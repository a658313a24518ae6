import { type ClientRequest, request } from 'node:http'
import { Agent, type AgentOptions, type RequestOptions } from 'node:https'
import type { Duplex } from 'node:stream'
import { createSecureContext, TLSSocket } from 'node:tls'
import type { EpochMs } from '../../domain/instant.ts'
import { type HttpProxy, openTunnel } from './proxy.ts'

export interface Validity {
  from: EpochMs
  until: EpochMs
}

/** Idle connections are closed early, so that the service does not close one while a sale is being sent. */
const KEEP_ALIVE_MS = 2000

export interface ConnectionOptions {
  /** PEM. It replaces the runtime's public authorities: the service's own are private (docs/spec/cis.md, Endpoints). */
  ca: string
  proxy: HttpProxy | null
  timeoutMs: number
}

/** Connections to the service, under one trust bundle, kept for the next message. */
export function createConnections({ ca, proxy, timeoutMs }: ConnectionOptions): Agent {
  const options: AgentOptions = {
    // Reading the bundle is a quarter of what a new connection costs, and each sale that comes alone makes one.
    secureContext: createSecureContext({ ca, minVersion: 'TLSv1.2' }),
    rejectUnauthorized: true,
    keepAlive: true,
    // The one that has waited longest: of those of many sales at once, Node would use some and leave the rest to be closed.
    scheduling: 'fifo',
    timeout: KEEP_ALIVE_MS,
    // Node returns no certificate for a resumed session, and without a certificate the Date is not trusted.
    maxCachedSessions: 0,
  }
  return proxy ? new TunnelAgent(options, proxy, timeoutMs) : new ServiceAgent(options)
}

/** Its options are the same for each message, so connections need no other name than their address. */
class ServiceAgent extends Agent {
  /** Node's own name contains all options, the bundle of some thousand characters among them, several times a message. */
  override getName({ host, port }: Target = {}): string {
    return `${host}:${port}`
  }
}

interface Target extends AgentOptions {
  host?: string
  port?: number
}

/** Connects through a proxy; TLS inside the tunnel is unchanged. */
class TunnelAgent extends ServiceAgent {
  readonly #proxy: HttpProxy
  readonly #timeoutMs: number

  constructor(options: AgentOptions, proxy: HttpProxy, timeoutMs: number) {
    super(options)
    this.#proxy = proxy
    this.#timeoutMs = timeoutMs
  }

  override createConnection(target: Target, connected?: (error: Error | null, stream: Duplex) => void): undefined {
    const fail = (error: Error) => (connected as ((error: Error) => void) | undefined)?.(error)
    openTunnel(this.#proxy, String(target.host), Number(target.port), this.#timeoutMs).then((socket) => {
      const secure = super.createConnection({ ...target, socket } as AgentOptions) as TLSSocket
      connected?.(null, secure)
    }, fail)
    return undefined
  }
}

const validities = new WeakMap<object, Validity | null>()

export function validityShown(socket: unknown): Validity | null {
  if (!(socket instanceof TLSSocket)) return null
  const known = validities.get(socket)
  if (known !== undefined) return known
  const certificate = socket.getPeerX509Certificate()
  const validity = certificate
    ? { from: Date.parse(certificate.validFrom), until: Date.parse(certificate.validTo) }
    : null
  validities.set(socket, validity)
  return validity
}

const numbers = new WeakMap<object, number>()
let last = 0

/** Tells connections apart: no other one of this process has the same number. */
export function connectionNumber(socket: object): number {
  const number = numbers.get(socket) ?? ++last
  numbers.set(socket, number)
  return number
}

/** A request whose connection is opened before its message is there. */
export function createRequestAhead(agent: Agent, options: RequestOptions) {
  let ahead: ClientRequest | undefined
  let timer: NodeJS.Timeout | undefined

  function take(): ClientRequest | undefined {
    clearTimeout(timer)
    const taken = ahead
    ahead = undefined
    return taken?.destroyed ? undefined : taken
  }

  return {
    /** Opens a connection, unless there is one already. Returns at once. */
    open(): void {
      // Where others sell as well, a connection is free in a moment, and a new one would cost more than it saves.
      if (ahead || !isEmpty(agent.sockets) || !isEmpty(agent.freeSockets)) return
      const opened = request({ ...options, setHost: false })
      const end = () => {
        if (ahead === opened) take()?.destroy()
      }
      ahead = opened
      // Nobody sends what was expected.
      timer = setTimeout(end, KEEP_ALIVE_MS).unref()
      // The message itself tells what is wrong, for it connects anew.
      opened.on('error', () => {})
      opened.once('close', end)
      // An answer that nobody asked for, such as 408.
      opened.once('response', end)
    },
    /** The request with that connection, once, without headers; its errors are the caller's from now on. */
    take,
  }
}

function isEmpty(sockets: object): boolean {
  for (const _name in sockets) return false
  return true
}
