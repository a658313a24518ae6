import { type RequestOptions, request } from 'node:http'
import type { Socket } from 'node:net'
import type { Download } from './trust-fetch.ts'

/** An HTTP proxy that a kiosk reaches the service through (RFC 9110, 9.3.6: CONNECT). */
export interface HttpProxy {
  host: string
  port: number
  /** The value of `Proxy-Authorization`; null without a name and password. Never logged. */
  authorization: string | null
}

/**
 * @param text `http://[USER:PASSWORD@]HOST:PORT`
 * @returns undefined when it is something else
 */
export function parseProxy(text: string): HttpProxy | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
  if (protocol !== 'http:' || hostname === '' || pathname !== '/' || search + hash !== '') return undefined
  try {
    const secret = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    const authorization = secret === ':' ? null : `Basic ${Buffer.from(secret, 'utf8').toString('base64')}`
    return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80), authorization }
  } catch {
    return undefined
  }
}

/** For people; without the password. */
export function proxyName({ host, port }: Pick<HttpProxy, 'host' | 'port'>): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/** The proxy does not let us through. */
export class ProxyRefusal extends Error {
  readonly code = 'PROXY_REFUSED'
  readonly status: number

  constructor(proxy: HttpProxy, status: number) {
    super(`the proxy ${proxyName(proxy)} answered HTTP ${status}`)
    this.status = status
  }
}

/** @param host what is asked for, as the header names it */
function toProxy({ host, port, authorization }: HttpProxy, target: string): RequestOptions {
  const login = authorization === null ? {} : { 'proxy-authorization': authorization }
  return { host, port, agent: false, headers: { host: target, ...login } }
}

/** Has the proxy get a file over plain HTTP (RFC 9112, 3.2.2). */
export function getThrough(proxy: HttpProxy): Download {
  return (url, { signal }) =>
    new Promise((resolve, reject) => {
      const asking = request({ ...toProxy(proxy, new URL(url).host), path: url, signal }, (answer) => {
        const { statusCode: status = 0 } = answer
        resolve({ status, ok: status >= 200 && status < 300, body: answer })
      })
      asking.once('error', reject)
      asking.end()
    })
}

/**
 * Opens a tunnel to a host through the proxy. What the far end sends early is on the socket already.
 * @throws ProxyRefusal, or what the connection to the proxy ends with; `ETIMEDOUT` after the time limit
 */
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
      if (answer.statusCode !== 200) {
        socket.destroy()
        reject(new ProxyRefusal(proxy, answer.statusCode ?? 0))
        return
      }
      if (head.length > 0) socket.unshift(head)
      resolve(socket as Socket)
    })
    connecting.once('error', (error) => {
      end()
      reject(error)
    })
    connecting.end()
  })
}
