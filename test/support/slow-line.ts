import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { onTestFinished } from 'vitest'
import { SYNC_BOUNDS } from '../../src/sync/wire/bounds.ts'
import type { Gateway } from './gateway.ts'
import type { Speaker } from './sync-gateway.ts'

/** Begins a request of a gateway to its server, and never ends it. @param path with its method */
export async function slowLine(
  server: Gateway,
  gateway: Speaker,
  path: string,
  bytes = SYNC_BOUNDS.push.most,
): Promise<TLSSocket> {
  const ca = readFileSync(join(server.dataDir, 'tls', 'ca.pem'), 'utf8')
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1', ca })
  onTestFinished(() => void socket.destroy())
  await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject))
  const lines = [
    ...[`${path} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', `Content-Length: ${bytes}`],
    ...[`Authorization: Bearer ${gateway.credential}`, `Fiskd-Sync-Session: ${gateway.session}`],
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n{`)
  return socket
}
