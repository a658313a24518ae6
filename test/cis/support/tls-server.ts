import type { RequestListener } from 'node:http'
import { createServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { pki } from '../../support/pki.ts'

export interface TlsServer {
  url: string
  /** TLS connections made so far. */
  connections: number
  /** Of them, those that are open. */
  open: number
  /** Requests that got through so far. */
  requests: number
}

/** A server of the test's own, with the trusted certificate unless told otherwise; gone when the test is over. */
export async function tlsServer(listener: RequestListener, options: ServerOptions = {}): Promise<TlsServer> {
  const server = createServer({ cert: pki.tls.certPem, key: pki.tls.keyPem, ...options })
  const state: TlsServer = { url: '', connections: 0, open: 0, requests: 0 }
  server.on('secureConnection', (socket) => {
    state.connections++
    state.open++
    socket.once('close', () => state.open--)
  })
  server.on('request', (request, response) => {
    state.requests++
    request.resume()
    request.on('end', () => listener(request, response))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  state.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return state
}
