import type { EpochMs, Present } from '../domain/instant.ts'
import type { Mode } from '../domain/sale/sale.ts'
import type { TimeWord } from '../fiscal/ports/clock.ts'
import type {
  AuthorityRequests,
  Exchange,
  FiscalMessage,
  ServiceReach,
  SignedMessage,
  TaxAuthority,
} from '../fiscal/ports/tax-authority.ts'
import type { ChainValidator, TrustBundles, TrustCare } from '../fiscal/ports/trust.ts'
import { pemOf } from '../x509/pem.ts'
import { textOf } from './answer/answer-text.ts'
import { type Judgement, judge, judgeRequest } from './answer/judge-answer.ts'
import { SERVICE_NAMES, type ServiceName } from './answer/service-names.ts'
import { createSigners } from './answer/trusted-signers.ts'
import type { Sha1Answers } from './answer/verify-answer.ts'
import { CIS_BOUNDS } from './bounds.ts'
import { echo, probeOf } from './message/echo.ts'
import { writeMessage } from './message/invoice-message.ts'
import { writeRequest } from './message/request-message.ts'
import { signMessage } from './message/sign-message.ts'
import { envelope, SOAP_HEADERS } from './message/soap.ts'
import type { HttpProxy } from './transport/proxy.ts'
import { reach } from './transport/reach-in-steps.ts'
import { createTransport, type Reply } from './transport/transport.ts'

/** For each step of the stepwise connection check. */
const STEP_TIMEOUT_MS = 5000

export interface TaxAuthorityOptions {
  urls: Record<Mode, string>
  trust: TrustBundles & Partial<Pick<TrustCare, 'given'>>
  chains: ChainValidator
  /** Who signs the answers; null, the default, for `SERVICE_NAMES`. */
  serviceNames?: Record<Mode, ServiceName> | null
  /** Default `accept`. */
  sha1Answers?: Sha1Answers
  /** Null, the default, to reach the service directly. */
  proxy?: HttpProxy | null
  /** The `User-Agent` header, for the service's log. */
  userAgent?: string
  /** The time that a mode uses to check whether a signer is valid. */
  present: (mode: Mode) => Present
  /** The unchecked clock of this machine; default `Date.now`. */
  shown?: () => EpochMs
  /** Called with the service's time whenever the service answers. */
  heard?: (mode: Mode, word: TimeWord) => void
  timeoutMs?: number
  /** For messages that are no sales: the service may take ten seconds (CIS specification, 2.8). */
  requestTimeoutMs?: number
}

export interface TaxAuthorityClient extends TaxAuthority, ServiceReach, AuthorityRequests {
  /** As `submit`, but nothing is sent: what answered another message is read and checked. Its signer is known then. */
  rehearse(message: SignedMessage, earlier: Pick<FiscalMessage, 'messageId'> & { xml: string }): Promise<Exchange>
  /** Call after the bundle of a mode changed: new connections and signers are checked against the new bundle. */
  reload(mode: Mode): void
  /** Waits for the running exchanges and closes the connections. */
  close(): Promise<void>
}

/** @throws FiskError `invalid_request` when an address is not `https:` */
export function createTaxAuthority(options: TaxAuthorityOptions): TaxAuthorityClient {
  const { urls, trust, chains, present, shown = Date.now, heard } = options
  const { proxy = null, userAgent = 'fiskd', timeoutMs = CIS_BOUNDS.exchangeMs.most, sha1Answers = 'accept' } = options
  const signers = createSigners({ trust, chains, names: options.serviceNames ?? SERVICE_NAMES })
  const judges = { signers, sha1Answers, present }
  const { requestTimeoutMs = CIS_BOUNDS.requestMs.most } = options
  const bundle = (mode: Mode) => pemOf(trust.certificates(mode, 'service'))
  const transport = createTransport({ urls, bundle, timeoutMs, proxy, userAgent })

  function hear(mode: Mode, reply: Reply, signedAt: EpochMs | null): void {
    if (!reply.arrived) return
    const at = signedAt ?? reply.date
    if (at !== null) heard?.(mode, { at, isSigned: signedAt !== null, connection: reply.connection })
  }

  return {
    async sign(message) {
      return { ...message, xml: envelope(await signMessage(writeMessage(message), message.identity)) }
    },
    expect: transport.expect,
    async submit(message, sent) {
      const start = performance.now()
      const reply = await transport.post(message.mode, SOAP_HEADERS.racuni, message.xml, sent)
      const durationMs = Math.round(performance.now() - start)
      const judged = await judge(reply, message, judges)
      hear(message.mode, reply, judged.signedAt)
      return exchangeOf(message.xml, reply, judged, durationMs)
    },
    async rehearse(message, { messageId, xml }) {
      const reply = { arrived: true, status: 200, body: Buffer.from(xml, 'utf8'), framed: true, date: null } as const
      return exchangeOf(message.xml, reply, await judge(reply, { mode: message.mode, messageId }, judges), 0)
    },
    async request(message) {
      const { mode, identity, request } = message
      const requestXml = envelope(await signMessage(writeRequest(message), identity))
      const headers = SOAP_HEADERS[request.operation]
      const reply = await transport.post(mode, headers, requestXml, undefined, requestTimeoutMs)
      const { answer, signedAt } = await judgeRequest(reply, message, judges)
      return {
        requestXml,
        responseXml: reply.arrived ? textOf(reply.body) : null,
        answer,
        answeredAt: signedAt ?? (reply.arrived ? reply.date : null),
      }
    },
    async echo(mode) {
      const echoed = await echo(transport, mode)
      hear(mode, echoed.reply, null)
      return probeOf(echoed, mode, urls[mode], present(mode).now)
    },
    reach: (mode) =>
      reach(mode, {
        url: urls[mode],
        bundle: trust.certificates(mode, 'service'),
        given: trust.given?.(mode) ?? null,
        transport,
        judges,
        proxy,
        shown,
        timeoutMs: STEP_TIMEOUT_MS,
        hear,
      }),
    reload(mode) {
      signers.forget(mode)
      transport.reload(mode)
    },
    close: () => transport.close(),
  }
}

function exchangeOf(requestXml: Buffer, reply: Reply, judged: Judgement, durationMs: number): Exchange {
  const { outcome, signature } = judged
  const responseXml = reply.arrived ? textOf(reply.body) : null
  const answeredAt = judged.signedAt ?? (reply.arrived ? reply.date : null)
  return { requestXml, responseXml, httpStatus: reply.status, durationMs, outcome, signature, answeredAt }
}
