import { type IncomingHttpHeaders, request as overHttp, type RequestOptions } from 'node:http'
import { request as overHttps } from 'node:https'

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** One HTTP request, over TLS where `options` has a CA. @throws Error when no whole answer comes */
export function exchange(options: RequestOptions & { ca?: string }, body?: Buffer | string): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const outgoing = (options.ca === undefined ? overHttp : overHttps)({ ...options, agent: false })
    outgoing.on('error', reject)
    outgoing.on('response', async (incoming) => {
      try {
        const chunks: Buffer[] = []
        for await (const chunk of incoming) chunks.push(chunk)
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: Buffer.concat(chunks) })
      } catch (error) {
        reject(error)
      }
    })
    outgoing.end(body)
  })
}
