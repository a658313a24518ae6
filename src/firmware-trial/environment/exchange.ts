import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request as overHttp, type RequestOptions } from 'node:http'
import { request as overHttps } from 'node:https'
import { buffer } from 'node:stream/consumers'
import { attempt } from '../../domain/attempt.ts'

export interface Reply {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

/** One HTTP request, over TLS where `options` has a CA. @throws Error when no whole answer comes */
export async function exchange(options: RequestOptions & { ca?: string }, body?: Buffer | string): Promise<Reply> {
  const outgoing = (options.ca === undefined ? overHttp : overHttps)({ ...options, agent: false })
  // Once the answer has begun, reading it says what is wrong.
  outgoing.on('error', () => {}).end(body)
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, body: await buffer(incoming) }
}

/** The JSON object in these bytes; null where there is none. */
export function jsonOf(bytes: Buffer): Record<string, unknown> | null {
  const value: unknown = attempt(() => JSON.parse(bytes.toString('utf8')), null)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
}
