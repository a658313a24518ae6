import type { EpochMs } from '../domain/instant.ts'
import type { Mode } from '../domain/sale.ts'
import type { ChainValidator, ServiceReach, TaxAuthority, TrustBundles } from '../fiscal/ports.ts'
import { judge } from './answer.ts'
import { probe } from './echo.ts'
import { writeMessage } from './message.ts'
import { pemOf } from './pem.ts'
import { reach } from './reach.ts'
import { signMessage } from './sign.ts'
import { createSigners } from './signers.ts'
import { envelope, soapHeaders } from './soap.ts'
import { createTransport } from './transport.ts'

/** One exchange takes at most this long, whatever phase it hangs in (interface.md, Limits). */
const EXCHANGE_TIMEOUT_MS = 4000

/** Of the steps of a way to the service that are made one by one. */
const STEP_TIMEOUT_MS = 5000

/** Who signs the answers (spec/cis.md, Endpoints). */
const SIGNER_COMMON_NAMES: Record<Mode, string> = { test: 'fiskalcistest', live: 'fiskalcis' }

export interface TaxAuthorityOptions {
  urls: Record<Mode, string>
  trust: TrustBundles
  chains: ChainValidator
  /** The common name that the signer of answers must bear. */
  signerCn?: Record<Mode, string>
  now: () => EpochMs
  /** What the clock of this machine shows, right or wrong; default `now`. */
  shown?: () => EpochMs
  /** Told what the service's clock shows, whenever it answers. */
  onDate?: (at: EpochMs) => void
  timeoutMs?: number
}

export interface TaxAuthorityClient extends TaxAuthority, ServiceReach {
  /** The bundle of a mode has changed: new connections and new signers are checked against it as it is now. */
  reload(mode: Mode): void
  /** Waits for the exchanges on their way and closes the connections. */
  close(): Promise<void>
}

/**
 * The tax authority's service, spoken to over its own protocol.
 * @throws FiskError `invalid_request` when an address is not `https:`
 */
export function createTaxAuthority(options: TaxAuthorityOptions): TaxAuthorityClient {
  const { urls, trust, chains, now, onDate, signerCn = SIGNER_COMMON_NAMES, timeoutMs = EXCHANGE_TIMEOUT_MS } = options
  const { shown = now } = options
  const signers = createSigners({ trust, chains, commonNames: signerCn, now })
  const transport = createTransport({ urls, bundle: (mode) => pemOf(trust.certificates(mode)), timeoutMs, onDate })

  return {
    async submit(message) {
      const requestXml = envelope(await signMessage(writeMessage(message), message.identity))
      const start = performance.now()
      const reply = await transport.post(message.mode, soapHeaders('racuni'), requestXml)
      const durationMs = Math.round(performance.now() - start)
      const outcome = await judge(reply, message, signers)
      const responseXml = reply.arrived ? reply.body.toString('utf8') : null
      return { requestXml, responseXml, httpStatus: reply.status, durationMs, outcome }
    },
    echo: (mode) => probe(transport, mode, urls[mode], now),
    reach: (mode) =>
      reach(mode, { url: urls[mode], bundle: trust.certificates(mode), transport, shown, timeoutMs: STEP_TIMEOUT_MS }),
    reload(mode) {
      signers.forget(mode)
      transport.reload(mode)
    },
    close: () => transport.close(),
  }
}
