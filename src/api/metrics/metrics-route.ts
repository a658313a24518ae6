import { BlockList, isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

export interface MetricsOptions {
  /** Everything in the text format of Prometheus. */
  scrape: () => Promise<string>
  /** Who may look. To others the address does not exist. */
  mayLook: (request: FastifyRequest) => boolean
}

/** `GET /metrics`, without a key: no part of `/v1` and of its documents. */
export async function metricsRoute(app: FastifyInstance, { scrape, mayLook }: MetricsOptions): Promise<void> {
  app.get('/metrics', { config: { quiet: true } }, async (request, reply) => {
    if (!mayLook(request)) return reply.callNotFound()
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await scrape())
  })
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/** Whether a request comes from this very machine, by the address of its connection: headers can say anything. */
export function isLocal({ socket: { remoteAddress } }: FastifyRequest): boolean {
  if (remoteAddress === undefined) return false
  return loopback.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4')
}
