import { type IncomingMessage, request } from 'node:http'
import { CIS_BOUNDS } from '../bounds.ts'
import { type Download, NoDownload } from '../trust/trust-fetch.ts'
import { type HttpProxy, loginFix, proxyName, toProxy } from './proxy.ts'

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
