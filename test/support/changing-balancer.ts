import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Gateway } from './gateway.ts'

export type Body = Record<string, unknown>
/** @returns the answer that the gateway gets */
export type Change = (answer: Body, asked: { body: Buffer; headers: IncomingHttpHeaders }) => Body

/** Somebody between a gateway and its server who holds the TLS key of the server, and says what they like. */
export interface ChangingBalancer {
  /** `https://127.0.0.1:PORT`. */
  url: string
  /** Changes the answers to what is asked at a path below `/sync/v1`; null lets them through. */
  change(path: string, change: Change | null): void
}

export async function startChangingBalancer(server: Gateway): Promise<ChangingBalancer> {
  const pem = (name: string) => readFileSync(join(server.dataDir, 'tls', name))
  const changes = new Map<string, Change>()
  const listener = createServer({ cert: pem('server.pem'), key: pem('server.key') }, async (asked, answer) => {
    const body = Buffer.concat(await asked.toArray())
    const { hostname, port } = new URL(server.url)
    const options = { hostname, port, method: asked.method, path: asked.url, headers: asked.headers, ca: pem('ca.pem') }
    const forwarded = request(options, async (got) => {
      const text = Buffer.concat(await got.toArray())
      const change = changes.get((asked.url ?? '').replace('/sync/v1', ''))
      const { 'content-length': _length, 'transfer-encoding': _encoding, ...headers } = got.headers
      const isChanged = change !== undefined && got.statusCode === 200
      const changed = isChanged ? change(JSON.parse(text.toString()), { body, headers: asked.headers }) : undefined
      answer.writeHead(got.statusCode ?? 502, headers)
      return answer.end(changed === undefined ? text : JSON.stringify(changed))
    })
    forwarded.on('error', () => answer.destroy())
    answer.on('close', () => forwarded.destroy())
    forwarded.end(body)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  onTestFinished(async () => {
    listener.closeAllConnections()
    listener.close()
  })
  return {
    url: `https://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    change(path, change) {
      if (change) changes.set(path, change)
      else changes.delete(path)
    },
  }
}
