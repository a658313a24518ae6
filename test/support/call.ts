import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { createSecureContext } from 'node:tls'

export interface Answer<T = Record<string, unknown>> {
  status: number
  headers: IncomingHttpHeaders
  /** As it came, for what is no text. */
  bytes: Buffer
  text: string
  // The caller says what it expects; a wrong expectation fails the test that has it.
  body: T
}

export interface Call {
  method?: string
  path: string
  /** One of value undefined is not sent, one of several values in a line each. */
  headers?: Record<string, string | string[] | undefined>
  /** An object goes out as JSON, text and bytes as they are, a form as multipart. */
  body?: unknown
}

export type Target = { base: string; ca: string } | { socketPath: string }

/** One HTTP request, over real TLS or over the admin socket. */
export async function call<T = Record<string, unknown>>(target: Target, request: Call): Promise<Answer<T>> {
  const { bytes, headers } = await encode(request.body)
  const sent = Object.fromEntries(Object.entries(request.headers ?? {}).filter(([, value]) => value !== undefined))
  const options = {
    method: request.method ?? (request.body === undefined ? 'GET' : 'POST'),
    headers: { ...headers, ...(bytes && { 'content-length': String(bytes.length) }), ...sent },
  }
  return new Promise((resolve, reject) => {
    const outgoing =
      'base' in target
        ? httpsRequest(`${target.base}${request.path}`, { ...options, agent: trusting(target.ca) })
        : httpRequest({ ...options, agent: false, socketPath: target.socketPath, path: request.path })
    outgoing.on('error', reject)
    outgoing.on('response', async (incoming) => {
      try {
        const chunks: Buffer[] = []
        for await (const chunk of incoming) chunks.push(chunk)
        const bytes = Buffer.concat(chunks)
        const text = bytes.toString('utf8')
        const isJson = String(incoming.headers['content-type']).startsWith('application/json')
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          bytes,
          text,
          // A request for the head gets none.
          body: isJson && text !== '' ? JSON.parse(text) : text,
        })
      } catch (error) {
        reject(error)
      }
    })
    outgoing.end(bytes)
  })
}

const agents = new Map<string, Agent>()

/** A connection for each request, by somebody who has read the authority once: that takes as long as a request. */
function trusting(ca: string): Agent {
  const agent = agents.get(ca) ?? new Agent({ secureContext: createSecureContext({ ca }), maxCachedSessions: 0 })
  agents.set(ca, agent)
  return agent
}

async function encode(body: unknown): Promise<{ bytes?: Buffer; headers: Record<string, string> }> {
  if (body === undefined) return { headers: {} }
  if (body instanceof FormData) {
    const encoded = new Response(body)
    const type = encoded.headers.get('content-type') ?? ''
    return { bytes: Buffer.from(await encoded.arrayBuffer()), headers: { 'content-type': type } }
  }
  const json = { 'content-type': 'application/json' }
  if (typeof body === 'string') return { bytes: Buffer.from(body), headers: json }
  if (Buffer.isBuffer(body)) return { bytes: body, headers: json }
  return { bytes: Buffer.from(JSON.stringify(body)), headers: json }
}
