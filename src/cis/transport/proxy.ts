import { type IncomingMessage, type RequestOptions, request } from 'node:http'
import type { Socket } from 'node:net'
import { attempt } from '../../domain/attempt.ts'
import type { Both } from '../../domain/texts/both.ts'
import { CIS_BOUNDS } from '../bounds.ts'
import { type Download, NoDownload } from '../trust/trust-fetch.ts'

/** An HTTP proxy that a kiosk reaches the service through (RFC 9110, 9.3.6: CONNECT). */
export interface HttpProxy {
  host: string
  port: number
  /** The value of `Proxy-Authorization`; null without a name and password. Never logged. */
  authorization: string | null
}

/** @param text `http://[USER:PASSWORD@]HOST:PORT`; undefined for any other form */
export function parseProxy(text: string): HttpProxy | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
  if (protocol !== 'http:' || hostname === '' || pathname !== '/' || search + hash !== '') return undefined
  const secret = attempt(() => `${decodeURIComponent(username)}:${decodeURIComponent(password)}`, undefined)
  if (secret === undefined) return undefined
  const authorization = secret === ':' ? null : `Basic ${Buffer.from(secret, 'utf8').toString('base64')}`
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80), authorization }
}

/** For people; without the password. */
export function proxyName({ host, port }: Pick<HttpProxy, 'host' | 'port'>): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

export class ProxyRefusal extends Error {
  readonly code = 'PROXY_REFUSED'
  readonly status: number
  readonly said: Both

  constructor(proxy: HttpProxy, status: number) {
    const said = {
      en: `the proxy ${proxyName(proxy)} answered HTTP ${status}`,
      hr: `proxy ${proxyName(proxy)} odgovorio je s HTTP ${status}`,
    }
    super(said.en)
    this.said = said
    this.status = status
  }
}

/** The proxy itself is not reached, or the connection to it is cut. */
export class ProxyUnreachable extends Error {
  readonly code = 'PROXY_UNREACHABLE'
  /** Node's code. */
  readonly reason: string
  readonly said: Both

  constructor(proxy: HttpProxy, cause: NodeJS.ErrnoException) {
    const reason = cause.code ?? cause.message
    const isName = reason === 'ENOTFOUND' || reason === 'EAI_AGAIN'
    const problem = isName
      ? { en: 'its address could not be looked up', hr: 'njegova adresa nije pronađena' }
      : { en: 'the connection failed or was cut', hr: 'veza nije uspostavljena ili je prekinuta' }
    const said = {
      en: `the proxy ${proxyName(proxy)} is not reached: ${problem.en} (${reason})`,
      hr: `proxy ${proxyName(proxy)} nije dostupan: ${problem.hr} (${reason})`,
    }
    super(said.en, { cause })
    this.said = said
    this.reason = reason
  }
}

/** @param target the value of the `Host` header */
function toProxy({ host, port, authorization }: HttpProxy, target: string): RequestOptions {
  const login = authorization === null ? {} : { 'proxy-authorization': authorization }
  return { host, port, agent: false, headers: { host: target, ...login } }
}

/** What to do where a proxy answers HTTP 407. */
export function loginFix({ authorization }: HttpProxy): Both {
  return authorization === null
    ? {
        en: 'set name and password: FISKD_CIS_PROXY=http://USER:PASSWORD@HOST:PORT in /etc/fiskd/fiskd.env',
        hr: 'postavite ime i lozinku: FISKD_CIS_PROXY=http://USER:PASSWORD@HOST:PORT u /etc/fiskd/fiskd.env',
      }
    : {
        en: 'check the name and password in FISKD_CIS_PROXY in /etc/fiskd/fiskd.env',
        hr: 'provjerite ime i lozinku u FISKD_CIS_PROXY u /etc/fiskd/fiskd.env',
      }
}

/** Bytes that the host sends early are on the socket already. @throws ProxyRefusal; ProxyUnreachable; code `ETIMEDOUT` */
export function openTunnel(proxy: HttpProxy, host: string, port: number, timeoutMs: number): Promise<Socket> {
  const target = proxyName({ ...proxy, host, port })
  return new Promise((resolve, reject) => {
    const connecting = request({ ...toProxy(proxy, target), method: 'CONNECT', path: target })
    const timer = setTimeout(() => {
      connecting.destroy(Object.assign(new Error('the proxy did not answer in time'), { code: 'ETIMEDOUT' }))
    }, timeoutMs)
    const end = () => clearTimeout(timer)
    connecting.once('connect', (answer, socket, head) => {
      end()
      const { statusCode: status = 0 } = answer
      if (status < 200 || status > 299) {
        socket.destroy()
        reject(new ProxyRefusal(proxy, status))
        return
      }
      if (head.length > 0) socket.unshift(head)
      resolve(socket as Socket)
    })
    connecting.once('error', (error: NodeJS.ErrnoException) => {
      end()
      reject(error.code === 'ETIMEDOUT' ? error : new ProxyUnreachable(proxy, error))
    })
    connecting.end()
  })
}

/** Gets a file through the proxy over plain HTTP (RFC 9112, 3.2.2), and follows redirects. */
export function getThrough(proxy: HttpProxy): Download {
  return async (url, { signal }) => {
    let from = url
    for (let redirects = 0; redirects <= CIS_BOUNDS.redirects.most; redirects++) {
      const answer = await ask(proxy, from, signal)
      const { statusCode: status = 0 } = answer
      const target = targetOf(answer, from)
      if (target === undefined) return { status, ok: status >= 200 && status < 300, body: answer }
      answer.destroy()
      if (target.protocol !== 'http:') {
        throw new NoDownload(`it leads to ${target.origin}, and only plain HTTP is downloaded through a proxy`)
      }
      from = target.href
    }
    throw new NoDownload(`it was redirected more than ${CIS_BOUNDS.redirects.most} times`)
  }
}

function ask(proxy: HttpProxy, url: string, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asking = request({ ...toProxy(proxy, new URL(url).host), path: url, signal }, (answer) => {
      if (answer.statusCode !== 407) return resolve(answer)
      answer.destroy()
      reject(new NoDownload(`the proxy ${proxyName(proxy)} answered HTTP 407: ${loginFix(proxy).en}`))
    })
    asking.once('error', reject)
    asking.end()
  })
}

/** @returns undefined when the answer is not a redirect, or has no usable target */
function targetOf({ statusCode = 0, headers: { location } }: IncomingMessage, from: string): URL | undefined {
  const isRedirect = [301, 302, 303, 307, 308].includes(statusCode) && location !== undefined
  return isRedirect && URL.canParse(location, from) ? new URL(location, from) : undefined
}
