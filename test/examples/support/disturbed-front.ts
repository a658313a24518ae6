import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Gateway } from '../../support/gateway.ts'

/**
 * What happens to a request: `lose` stores the sale and says nothing of it, `cut` gives half of the answer, `silent` keeps the
 * connection and never answers; an answer in the place of the gateway's stores nothing.
 */
export type Disturbance =
  | 'lose'
  | 'cut'
  | 'silent'
  | { status: number; headers?: Record<string, string>; body?: string }

export interface Posted {
  key: string | undefined
  body: string
  at: number
}

/** Stands before a gateway with its TLS key, records the sales that are posted, and disturbs as many as it is told. */
export interface DisturbedFront {
  url: string
  posted: Posted[]
  disturb(...next: Disturbance[]): void
}

export async function startDisturbedFront(
  gateway: Gateway,
  atTheEnd: (close: () => Promise<void>) => void,
): Promise<DisturbedFront> {
  const pem = (name: string) => readFileSync(join(gateway.dataDir, 'tls', name))
  const posted: Posted[] = []
  const disturbances: Disturbance[] = []
  const listener = createServer({ cert: pem('server.pem'), key: pem('server.key') }, async (asked, answer) => {
    const body = Buffer.concat(await asked.toArray())
    let how: Disturbance | undefined
    if (asked.method === 'POST') {
      posted.push({ key: asked.headers['idempotency-key'] as string, body: body.toString(), at: Date.now() })
      how = disturbances.shift()
    }
    if (typeof how === 'object') return void answer.writeHead(how.status, how.headers).end(how.body)
    const { hostname, port } = new URL(gateway.url)
    const options = { hostname, port, method: asked.method, path: asked.url, headers: asked.headers, ca: pem('ca.pem') }
    const forwarded = request({ ...options, agent: false }, async (got) => {
      const bytes = Buffer.concat(await got.toArray())
      if (how === 'silent') return
      if (how === 'lose') return void answer.destroy()
      const { 'transfer-encoding': _encoding, ...headers } = got.headers
      answer.writeHead(got.statusCode ?? 502, { ...headers, 'content-length': bytes.length })
      if (how !== 'cut') return void answer.end(bytes)
      answer.write(bytes.subarray(0, bytes.length / 2), () => answer.destroy())
    })
    forwarded.on('error', () => answer.destroy())
    forwarded.end(body)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  atTheEnd(async () => {
    listener.closeAllConnections()
    await new Promise((resolve) => listener.close(resolve))
  })
  return {
    url: `https://localhost:${(listener.address() as AddressInfo).port}`,
    posted,
    disturb: (...next) => void disturbances.push(...next),
  }
}
