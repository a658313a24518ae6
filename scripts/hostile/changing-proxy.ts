import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { Agent, createServer, request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'

/** Stands between two parties with the TLS key of the one that answers, and changes its answers when it is told to. */
export interface ChangingProxy {
  port: number
  change(on: boolean): void
  /** Answers that were changed so far. */
  changed(): number
  close(): void
}

interface ChangingProxyOrder {
  tls: { cert: string | Buffer; key: string | Buffer }
  /** Where requests go, and the CA of the certificate there. */
  base: string
  ca: string | Buffer
  /** What becomes of the n-th answer that is changed, and of its status and headers where they change, too. */
  spoil(body: string, n: number): { body: string | Buffer; status?: number; headers?: IncomingHttpHeaders }
}

export async function openChangingProxy({ tls, base, ca, spoil }: ChangingProxyOrder): Promise<ChangingProxy> {
  const agent = new Agent({ keepAlive: true, ca })
  let changes = false
  let changed = 0
  const server = createServer(tls, (request, response) => {
    const { method, headers: asked } = request
    const onward = httpsRequest(`${base}${request.url}`, { method, headers: asked, agent }, async (answer) => {
      const chunks: Buffer[] = []
      for await (const chunk of answer.on('error', () => response.destroy())) chunks.push(chunk)
      const whole = Buffer.concat(chunks)
      const { 'content-length': _, ...told } = answer.headers
      const isLeft = !changes || whole.length === 0
      const {
        body,
        status = answer.statusCode,
        headers = told,
      } = isLeft ? { body: whole } : spoil(whole.toString('utf8'), ++changed)
      response.writeHead(status ?? 500, headers).end(body)
    })
    onward.on('error', () => response.destroy())
    response.on('error', () => {})
    response.on('close', () => void onward.destroy())
    request.pipe(onward)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    change(on) {
      changes = on
    },
    changed: () => changed,
    close: () => server.closeAllConnections(),
  }
}
