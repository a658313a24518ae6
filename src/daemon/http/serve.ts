import type { RequestListener } from 'node:http'
import type { Logger } from 'pino'
import { type DocsUrl, errorBody } from '../../api/errors.ts'
import { invalidRequest } from '../../domain/errors.ts'
import { LISTEN_AGAIN_S } from '../../fiscal/ports/machine.ts'
import type { ListenAddress } from '../config/parsers.ts'
import type { Config } from '../config.ts'
import { absenceOf, createListenAddresses, nameOf } from './listen-addresses.ts'
import { LISTENER_LIMITS, SERVER_LIMITS } from './listener-limits.ts'
import { listenTls, type Refusals, type TlsListener } from './listeners.ts'
import type { CertificateClock } from './local-ca.ts'
import { publishCa } from './published-ca.ts'
import { serverTls } from './server-tls.ts'

/** Its own one has a name that the certificate carries. @param listeningAt a base address: `https://127.0.0.1:8443` */
export function docsUrlOf({ docsUrl, listen: [first] }: Config, listeningAt?: string): string {
  if (docsUrl !== null) return docsUrl
  const own = listeningAt ?? `https://${first ? nameOf(first) : 'localhost:8443'}`
  return `${own.replace(/^https:\/\/(0\.0\.0\.0|\[::\]):/, 'https://localhost:')}/docs`
}

export function refusalsOf(docsUrl: DocsUrl): Refusals {
  const write = (param: string, message: string) => JSON.stringify(errorBody(invalidRequest(param, message), docsUrl()))
  return {
    plainHttp: () => write('scheme', 'use https: plain HTTP is refused'),
    malformedHttp: () => write('request', 'this is not well-formed HTTP/1.1, or its headers are too large'),
  }
}

/** Of the addresses that show receipts: a stranger learns no other address of this daemon. */
const RECEIPT_REFUSALS: Refusals = {
  plainHttp: () => JSON.stringify({ error: 'use https' }),
  malformedHttp: () => JSON.stringify({ error: 'this is not HTTP/1.1' }),
}

export interface ServeClock {
  now(): number
  certificates(): CertificateClock
}

/**
 * Tries addresses that the host lacks again, except default ones, and keeps the certificate fresh.
 * @param receipts what is served where receipts are shown: with the same certificate, at its own addresses
 * @returns `urls`: base addresses of the listeners that the start could open, `receiptUrls` of those that show receipts;
 *   `state`: of all configured addresses
 * @throws Error with the address that cannot be listened on, or when the host has no address; all are closed then
 */
export async function serve(
  config: Config,
  log: Logger,
  clock: ServeClock,
  handler: RequestListener,
  refusals: Refusals,
  receipts: RequestListener | null = null,
  againMs = LISTEN_AGAIN_S * 1000,
) {
  let tls = await serverTls(config, clock.certificates())
  await publishCa(config, log)
  for (const name of tls.unusableNames) log.warn(`no certificate can carry the name ${name}: use another to connect`)
  const limits = config.role === 'server' ? SERVER_LIMITS : LISTENER_LIMITS
  const receiptAddresses = new Set(receipts ? config.receipts?.listen : [])
  const receiptListeners = new Set<TlsListener>()
  async function listen(address: ListenAddress): Promise<TlsListener> {
    if (!receipts || !receiptAddresses.has(address))
      return listenTls(address, tls, handler, refusals, limits, config.proxies)
    const listener = await listenTls(address, tls, receipts, RECEIPT_REFUSALS, LISTENER_LIMITS, config.proxies)
    receiptListeners.add(listener)
    return listener
  }
  const variableOf = (address: ListenAddress) =>
    receiptAddresses.has(address) ? 'FISKD_RECEIPTS_LISTEN' : 'FISKD_LISTEN'
  const all = [...(await wanted(config, log)), ...receiptAddresses]
  const addresses = createListenAddresses(all, listen, log, variableOf)
  const urlsOf = (isWanted: (listener: TlsListener) => boolean) =>
    addresses
      .listeners()
      .filter(isWanted)
      .map(({ url }) => url)

  /** Renews the certificate without a restart: it ends, or the time is proven and it does not hold by it. */
  async function renewTls(): Promise<void> {
    try {
      const found = await serverTls(config, clock.certificates())
      await publishCa(config, log)
      if (!found.renewed) return
      tls = found
      for (const listener of addresses.listeners()) listener.useCertificate(tls)
    } catch (error) {
      log.error({ err: error }, 'the TLS certificate could not be renewed')
    }
  }

  let looking = Promise.resolve()
  let again: NodeJS.Timeout | undefined
  let closed = false
  const lookLater = () => {
    again = setTimeout(() => {
      looking = addresses.look().finally(() => closed || lookLater())
    }, againMs)
  }
  const renewing = setInterval(renewTls, TLS_CHECK_MS)
  const close = async () => {
    closed = true
    clearInterval(renewing)
    clearTimeout(again)
    await looking
    await Promise.all(addresses.listeners().map((listener) => listener.close()))
  }
  try {
    await addresses.open()
  } catch (error) {
    await close()
    throw error
  }
  lookLater()
  const isForReceipts = (listener: TlsListener) => receiptListeners.has(listener)
  return {
    urls: urlsOf((listener) => !isForReceipts(listener)),
    receiptUrls: urlsOf(isForReceipts),
    state: addresses.state,
    close,
  }
}

/** The configured addresses; or those of the default addresses that the host has (a host without IPv6 lacks one). */
async function wanted({ listen, listenConfigured }: Config, log: Logger): Promise<ListenAddress[]> {
  if (listenConfigured) return listen
  const found: ListenAddress[] = []
  for (const address of listen) {
    if (await absenceOf(address.host)) log.warn(`this host has no ${address.host}: not listening there`)
    else found.push(address)
  }
  return found
}

const TLS_CHECK_MS = 10 * 60_000
