import { lookup } from 'node:dns/promises'
import { connect, isIP, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { EpochMs } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { alike, type Both, together } from '../../domain/texts/both.ts'
import type { Reach, ReachStep } from '../../fiscal/ports/tax-authority.ts'
import { checkSignature } from '../answer/signature-check.ts'
import type { Judges } from '../answer/verify-answer.ts'
import { echo } from '../message/echo.ts'
import { isClosedAt } from '../service-windows.ts'
import { NotReached, noAnswer } from './not-reached.ts'
import { type HttpProxy, loginFix, openTunnel, ProxyRefusal, ProxyUnreachable, proxyName } from './proxy.ts'
import { handshake, type Target } from './tls-handshake.ts'
import type { Reply, Transport } from './transport.ts'

export interface ReachOptions {
  url: string
  /** DER, root and intermediates. */
  bundle: Buffer[]
  /** As `TrustCare.given`. */
  given?: string | null
  transport: Transport
  judges: Judges
  proxy: HttpProxy | null
  /** The unchecked clock of this machine. */
  shown: () => EpochMs
  /** For each of the first three steps; the other steps have the limit of the transport. */
  timeoutMs: number
  hear: (mode: Mode, reply: Reply, signedAt: EpochMs | null) => void
}

/** Checks each step to the service: name, port, TLS, echo, signature; the contract is `ServiceReach.reach`. */
export async function reach(mode: Mode, options: ReachOptions): Promise<Reach> {
  const { url, bundle, given = null, transport, judges, proxy, shown, timeoutMs, hear } = options
  const { hostname, port: givenPort } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const port = Number(givenPort || 443)
  const closed = isClosedAt(url, mode, shown())
  const way: Reach = { steps: [], aheadMs: null, closed, signature: null, dateAheadOfSignedMs: null }
  let step: ReachStep = 'name'
  const make = async <T extends { detail: Both }>(next: ReachStep, work: () => Promise<T>): Promise<T> => {
    step = next
    const made = await work()
    way.steps.push({ step, detail: made.detail, fix: null })
    return made
  }
  let socket: Socket | undefined
  try {
    await make('name', () => (proxy ? findProxy(proxy, timeoutMs) : findName(host, timeoutMs)))
    const { connected } = await make('port', () =>
      proxy ? tunnel(proxy, { host, port, timeoutMs }) : knock({ host, port, timeoutMs }),
    )
    socket = connected
    if (bundle.length === 0) return way
    await make('TLS', () => handshake(connected, { mode, host, port, bundle, given, timeoutMs }))
    way.aheadMs = (await make('echo', () => exchange(mode, options))).aheadMs
    const found = await make('signature', () => checkSignature(mode, { transport, judges, given }))
    way.signature = found.signature
    const date = found.reply.arrived ? found.reply.date : null
    if (date !== null && found.signedAt !== null) way.dateAheadOfSignedMs = date - found.signedAt
    // Nothing binds this answer to our message, so its Date is compared to detect a replayed answer.
    const isOfNow = Math.abs(way.dateAheadOfSignedMs ?? Number.POSITIVE_INFINITY) <= KEPT_MS
    hear(mode, found.reply, isOfNow ? found.signedAt : null)
  } catch (error) {
    const { said, fix } = error instanceof NotReached ? error : new NotReached(alike(String(error)), LOG)
    way.steps.push({ step, detail: said, fix })
  } finally {
    socket?.destroy()
  }
  return way
}

/** A fresh answer is signed at most some seconds before its Date. */
const KEPT_MS = 10 * 60_000

const LOG = { en: 'look at the log of the daemon: journalctl -u fiskd', hr: 'pogledajte zapisnik: journalctl -u fiskd' }

const CHECK_PROXY = {
  en: 'check FISKD_CIS_PROXY in /etc/fiskd/fiskd.env',
  hr: 'provjerite FISKD_CIS_PROXY u /etc/fiskd/fiskd.env',
}
const CHECK_NETWORK = {
  en: 'check the network cable or modem and the DNS server of this machine',
  hr: 'provjerite mrežni kabel ili modem i DNS poslužitelj ovog računala',
}

async function findProxy(proxy: HttpProxy, timeoutMs: number) {
  const { detail } = await findName(proxy.host, timeoutMs, {
    en: `${CHECK_PROXY.en}; if the name is right, ${CHECK_NETWORK.en}`,
    hr: `${CHECK_PROXY.hr}; ako je ime ispravno, ${CHECK_NETWORK.hr}`,
  })
  return {
    detail: {
      en: `through the proxy ${proxyName(proxy)} (FISKD_CIS_PROXY): ${detail.en}`,
      hr: `preko proxyja ${proxyName(proxy)} (FISKD_CIS_PROXY): ${detail.hr}`,
    },
  }
}

async function findName(
  host: string,
  timeoutMs: number,
  fix = {
    en: `${CHECK_NETWORK.en}; ask it again: getent hosts ${host}`,
    hr: `${CHECK_NETWORK.hr}; ponovno ga upitajte: getent hosts ${host}`,
  },
) {
  if (isIP(host) !== 0) return { detail: { en: `${host} is an address already`, hr: `${host} već je IP adresa` } }
  const late = new AbortController()
  const failed = (why: Both) =>
    new NotReached(
      { en: `${host} could not be looked up: ${why.en}`, hr: `adresa za ${host} nije pronađena: ${why.hr}` },
      fix,
    )
  try {
    const waited = setTimeout(timeoutMs, undefined, { signal: late.signal }).then(() => {
      throw failed(noAnswer(timeoutMs))
    })
    const found = await Promise.race([lookup(host, { all: true }), waited])
    const addresses = found.map(({ address }) => address).join(', ')
    return { detail: { en: `${host} is ${addresses}`, hr: `${host}: ${addresses}` } }
  } catch (error) {
    throw error instanceof NotReached ? error : failed(alike((error as NodeJS.ErrnoException).code ?? String(error)))
  } finally {
    late.abort()
  }
}

interface Connected {
  detail: Both
  connected: Socket
}

function knock({ host, port, timeoutMs }: Target): Promise<Connected> {
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, timeout: timeoutMs })
    const fail = (why: Both) => {
      socket.destroy()
      const fix = NO_WAY.has(why.en) ? CHECK_CABLE : letThrough(host, port)
      reject(
        new NotReached(
          {
            en: `port ${port} of ${host} cannot be reached: ${why.en}`,
            hr: `priključak ${port} na ${host} nije dostupan: ${why.hr}`,
          },
          fix,
        ),
      )
    }
    socket.on('error', (error: NodeJS.ErrnoException) => fail(alike(error.code ?? error.message)))
    socket.once('timeout', () => fail(noAnswer(timeoutMs)))
    socket.once('connect', () => {
      socket.setTimeout(0)
      const ms = Math.round(performance.now() - begun)
      resolve({ detail: { en: `open, ${ms} ms away`, hr: `otvoren, odgovor za ${ms} ms` }, connected: socket })
    })
  })
}

/** The machine itself has no way there. */
const NO_WAY = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN'])
const CHECK_CABLE = {
  en: 'check the network cable or modem of this machine; a line "default" stands for its way out: ip route',
  hr: 'provjerite mrežni kabel ili modem ovog računala; redak „default” pokazuje njegov put u mrežu: ip ' + 'route',
}

function letThrough(host: string, port: number): Both {
  const probe = `timeout 5 bash -c '</dev/tcp/${host}/${port}' && echo open`
  const open = {
    en: `let this machine reach ${host} on TCP port ${port}: a firewall or router may be in the way`,
    hr:
      `omogućite ovom računalu pristup na ${host}, TCP priključak ${port}: možda ga sprječava vatrozid ili ` +
      'usmjerivač',
  }
  return {
    en: `${open.en}; where there is a proxy, set FISKD_CIS_PROXY; try it: ${probe}`,
    hr: `${open.hr}; ako postoji proxy, postavite FISKD_CIS_PROXY; isprobajte: ${probe}`,
  }
}

async function tunnel(proxy: HttpProxy, { host, port, timeoutMs }: Target): Promise<Connected> {
  const begun = performance.now()
  try {
    const connected = await openTunnel(proxy, host, port, timeoutMs)
    const ms = Math.round(performance.now() - begun)
    const detail = { en: `open through the proxy, ${ms} ms away`, hr: `otvoren preko proxyja, odgovor za ${ms} ms` }
    return { detail, connected }
  } catch (error) {
    const problem = {
      en: `the proxy ${proxyName(proxy)} does not let this machine through to port ${port} of ${host}`,
      hr: `proxy ${proxyName(proxy)} ne propušta ovo računalo do ${host}, priključak ${port}`,
    }
    if (!(error instanceof ProxyRefusal)) {
      const why = error instanceof ProxyUnreachable ? error.reason : (error as NodeJS.ErrnoException).code
      throw new NotReached(together`${problem}: ${why ?? String(error)}`, CHECK_PROXY)
    }
    const answered = { en: `it answered HTTP ${error.status}`, hr: `odgovorio je s HTTP ${error.status}` }
    throw new NotReached(together`${problem}: ${answered}`, fixOf(error, proxy, { host, port }))
  }
}

function fixOf({ status }: ProxyRefusal, proxy: HttpProxy, { host, port }: Pick<Target, 'host' | 'port'>): Both {
  if (status === 407) return loginFix(proxy)
  return status >= 502 && status <= 504
    ? {
        en: `ask the administrator of the proxy: the proxy could not reach ${host} port ${port} itself`,
        hr: `pitajte administratora proxyja: ni proxy ne može do ${host}, priključak ${port}`,
      }
    : {
        en: `let the proxy allow CONNECT to ${host} port ${port}`,
        hr: `dopustite na proxyju CONNECT do ${host}, priključak ${port}`,
      }
}

async function exchange(mode: Mode, { transport, shown, hear }: ReachOptions) {
  const { problem, latencyMs, reply } = await echo(transport, mode)
  hear(mode, reply, null)
  if (problem !== null) {
    throw new NotReached(
      { en: `no echo came back: ${problem.en}`, hr: `probna poruka nije se vratila: ${problem.hr}` },
      {
        en: 'wait some minutes and look again; sales go on and are sent later',
        hr: 'pričekajte nekoliko minuta i ponovno provjerite; prodaja se nastavlja, a računi se šalju naknadno',
      },
    )
  }
  const date = reply.arrived ? reply.date : null
  // The Date was made between sending and now, and cut to the second.
  const aheadMs = date === null ? null : Math.round(shown() - latencyMs / 2 - (date + 500))
  const detail = { en: `the same text came back in ${latencyMs} ms`, hr: `isti je tekst vraćen za ${latencyMs} ms` }
  return { detail, aheadMs }
}
