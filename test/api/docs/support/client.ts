import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Agent } from 'undici'
import type { Answer, Call } from '../../../support/call.ts'
import { atTheEndOfFile } from '../../../support/file-end.ts'
import type { Gateway } from '../../../support/gateway.ts'

/** Sends a request as it is to the public listener, without a key unless one is given. */
export type Ask = <T = Record<string, unknown>>(request: Call) => Promise<Answer<T>>

/** Far longer than any answer takes, for there are no slow tax authorities here. */
const PATIENCE_MS = 20_000

/** A client that keeps its connections, for many requests of one file. They end with the file. */
export function clientOf(gateway: Gateway, connections = 4): Ask {
  const ca = readFileSync(join(gateway.dataDir, 'tls', 'ca.pem'), 'utf8')
  const timeouts = { headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS }
  const agent = new Agent({ connections, pipelining: 1, connect: { ca }, ...timeouts })
  atTheEndOfFile(() => agent.destroy())
  return async <T>({ method, path, headers, body }: Call) => {
    const encoded = await encode(body)
    const response = await agent.request({
      origin: gateway.url,
      path,
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { ...encoded.headers, ...headers },
      body: encoded.bytes,
    })
    const bytes = Buffer.from(await response.body.arrayBuffer())
    const text = bytes.toString('utf8')
    const isJson = String(response.headers['content-type']).startsWith('application/json')
    return {
      status: response.statusCode,
      headers: response.headers,
      bytes,
      text,
      body: (isJson ? JSON.parse(text) : text) as T,
    }
  }
}

async function encode(body: unknown): Promise<{ bytes: Buffer | null; headers: Record<string, string> }> {
  if (body === undefined) return { bytes: null, headers: {} }
  if (Buffer.isBuffer(body)) return { bytes: body, headers: {} }
  if (body instanceof FormData) {
    const form = new Response(body)
    return {
      bytes: Buffer.from(await form.arrayBuffer()),
      headers: { 'content-type': form.headers.get('content-type') ?? '' },
    }
  }
  return { bytes: Buffer.from(JSON.stringify(body)), headers: { 'content-type': 'application/json' } }
}
