import type { EpochMs, Present } from '../domain/instant.ts'
import type { Mode } from '../domain/sale/sale.ts'
import type { TimeWord } from '../fiscal/ports/clock.ts'
import type {
  Exchange,
  FiscalMessage,
  ServiceReach,
  SignedMessage,
  TaxAuthority,
} from '../fiscal/ports/tax-authority.ts'
import type { ChainValidator, TrustBundles } from '../fiscal/ports/trust.ts'
import { pemOf } from '../x509/pem.ts'
import { textOf } from './answer/answer-text.ts'
import { type Judgement, judge } from './answer/judge-answer.ts'
import { createSigners } from './answer/trusted-signers.ts'
import type { Sha1Answers } from './answer/verify-answer.ts'
import { CIS_BOUNDS } from './bounds.ts'
import { echo, probeOf } from './message/echo.ts'
import { writeMessage } from './message/invoice-message.ts'
import { signMessage } from './message/sign-message.ts'
import { envelope, soapHeaders } from './message/soap.ts'
import type { HttpProxy } from './transport/proxy.ts'
import { reach } from './transport/reach-in-steps.ts'
import { createTransport, type Reply } from './transport/transport.ts'

/** For each step of the stepwise connection check. */
const STEP_TIMEOUT_MS = 5000

/** Who signs the answers (docs/spec/cis.md, Endpoints). */
const SIGNER_COMMON_NAMES: Record<Mode, string> = { test: 'fiskalcistest', live: 'fiskalcis' }

export interface TaxAuthorityOptions {
  urls: Record<Mode, string>
  trust: TrustBundles
  chains: ChainValidator
  /** The common name that the signer of answers must have. */
  signerCn?: Record<Mode, string>
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
}

export interface TaxAuthorityClient extends TaxAuthority, ServiceReach {
  /**
   * As `submit`, and nothing is sent: what answered another message is read and checked instead, as an answer that has
   * come. Its signer is known afterwards.
   */
  rehearse(message: SignedMessage, earlier: Pick<FiscalMessage, 'messageId'> & { xml: string }): Promise<Exchange>
  /** Call after the bundle of a mode changed: new connections and signers are checked against the new bundle. */
  reload(mode: Mode): void
  /** Waits for the running exchanges and closes the connections. */
  close(): Promise<void>
}

/**
 * Creates a client for the tax authority's service.
 * @throws FiskError `invalid_request` when an address is not `https:`
 */
export function createTaxAuthority(options: TaxAuthorityOptions): TaxAuthorityClient {
  const { urls, trust, chains, present, shown = Date.now, heard, signerCn = SIGNER_COMMON_NAMES } = options
  const { proxy = null, userAgent = 'fiskd', timeoutMs = CIS_BOUNDS.exchangeMs.most, sha1Answers = 'accept' } = options
  const signers = createSigners({ trust, chains, commonNames: signerCn })
  const judges = { signers, sha1Answers, present }
  const bundle = (mode: Mode) => pemOf(trust.certificates(mode))
  const transport = createTransport({ urls, bundle, timeoutMs, proxy, userAgent })

  function hear(mode: Mode, reply: Reply, signedAt: EpochMs | null): void {
    if (!reply.arrived) return
    const at = signedAt ?? reply.date
    if (at !== null) heard?.(mode, { at, isSigned: signedAt !== null })
  }

  return {
    async sign(message) {
      return { ...message, xml: envelope(await signMessage(writeMessage(message), message.identity)) }
    },
    expect: transport.expect,
    async submit(message, sent) {
      const start = performance.now()
      const reply = await transport.post(message.mode, soapHeaders('racuni'), message.xml, sent)
      const durationMs = Math.round(performance.now() - start)
      const judged = await judge(reply, message, judges)
      hear(message.mode, reply, judged.signedAt)
      return exchangeOf(message.xml, reply, judged, durationMs)
    },
    async rehearse(message, { messageId, xml }) {
      const reply = { arrived: true, status: 200, body: Buffer.from(xml, 'utf8'), framed: true, date: null } as const
      return exchangeOf(message.xml, reply, await judge(reply, { mode: message.mode, messageId }, judges), 0)
    },
    async echo(mode) {
      const echoed = await echo(transport, mode)
      hear(mode, echoed.reply, null)
      return probeOf(echoed, mode, urls[mode], present(mode).now)
    },
    reach: (mode) =>
      reach(mode, {
        url: urls[mode],
        bundle: trust.certificates(mode),
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
  return { requestXml, responseXml, httpStatus: reply.status, durationMs, outcome, signature }
}
