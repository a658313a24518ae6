import { type Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { type Agent as HttpsAgent, request as httpsRequest } from 'node:https'

export const JSON_TYPE = { 'content-type': 'application/json' }

export interface Answer {
  status: number
  text: string
  replayed: boolean
  headers: IncomingHttpHeaders
}

export interface Question {
  method?: 'DELETE' | 'GET' | 'HEAD' | 'OPTIONS' | 'PATCH' | 'POST' | 'PUT'
  path: string
  headers?: Record<string, string>
  body?: string | Buffer
}

export type Target = { base: string; agent: HttpsAgent } | { socketPath: string; agent?: HttpAgent }

/** As long as the specification tells clients to wait. */
const TIMEOUT_MS = 15_000

/** One request. @returns null when no whole answer came: refused, cut off, or not in time */
export function ask(target: Target, { method = 'GET', path, headers = {}, body }: Question): Promise<Answer | null> {
  return new Promise((resolve) => {
    const options = {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }
    const outgoing =
      'base' in target
        ? httpsRequest(`${target.base}${path}`, { ...options, agent: target.agent })
        : httpRequest({ ...options, socketPath: target.socketPath, path })
    outgoing.on('error', () => resolve(null))
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('error', () => resolve(null))
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          text: Buffer.concat(chunks).toString('utf8'),
          replayed: incoming.headers['idempotent-replayed'] === 'true',
          headers: incoming.headers,
        }),
      )
    })
    outgoing.end(body)
  })
}

/**
 * JSON over the admin socket of a daemon.
 * @returns what was answered; nothing is an empty object
 * @throws Error with what was answered when that is no success
 */
export async function command(
  socketPath: string,
  method: NonNullable<Question['method']>,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const json = body && { headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) }
  return made(await ask({ socketPath }, { method, path, headers, ...json }), path)
}

/** What a question that must succeed was answered. @throws as `command` */
export function made(answer: Answer | null, what = 'it'): Record<string, unknown> {
  if (answer === null || answer.status >= 300) throw new Error(`${what} failed: ${answer?.text ?? 'no answer'}`)
  return answer.text === '' ? {} : JSON.parse(answer.text)
}
