import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, createServer, request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Scratch } from '../chaos/scratch.ts'
import type { KillableProcess } from '../chaos-sync/machine.ts'
import { changedJson, endless } from './changes.ts'

/** A balancer before the central server that holds its TLS key, and changes answers on their way when it is told to. */
export interface Front {
  port: number
  change(on: boolean): void
  /** Answers that were changed so far. */
  changed(): number
}

export async function openFront(server: KillableProcess, scratch: Scratch): Promise<Front> {
  const tls = (name: string) => readFileSync(join(server.dataDir, 'tls', name))
  const agent = new Agent({ keepAlive: true, ca: tls('ca.pem') })
  let changes = false
  let changed = 0

  const front = createServer({ cert: tls('server.pem'), key: tls('server.key') }, (request, response) => {
    const onward = httpsRequest(
      `${server.base}${request.url}`,
      { method: String(request.method), headers: request.headers, agent },
      async (answer) => {
        const chunks: Buffer[] = []
        for await (const chunk of answer.on('error', () => response.destroy())) chunks.push(chunk)
        const body = Buffer.concat(chunks)
        const { 'content-length': _, ...headers } = answer.headers
        if (!changes || body.length === 0) return response.writeHead(answer.statusCode ?? 500, headers).end(body)
        changed++
        const spoilt = endless(changedJson(JSON.parse(body.toString('utf8'))), changed * 13).next().value
        response.writeHead(answer.statusCode ?? 500, headers).end(spoilt)
      },
    )
    onward.on('error', () => response.destroy())
    response.on('close', () => void onward.destroy())
    request.pipe(onward)
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  scratch.atTheEnd(() => front.closeAllConnections())
  return {
    port: (front.address() as AddressInfo).port,
    change(on) {
      changes = on
    },
    changed: () => changed,
  }
}
