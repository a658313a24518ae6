import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface TestProxy {
  port: number
  /** What it was asked for, oldest first: the target and the value of `Proxy-Authorization`. */
  asked: { target: string; authorization: string | undefined }[]
}

/** An HTTP proxy on loopback that opens tunnels; gone when the test is over. */
export async function startProxy(
  answer: (request: IncomingMessage) => number | 'nothing' = () => 200,
): Promise<TestProxy> {
  const sockets = new Set<Socket>()
  const proxy: TestProxy = { port: 0, asked: [] }
  const server = createServer((_, response) => void response.writeHead(405).end())
  server.on('connection', (socket: Socket) => void sockets.add(socket))
  server.on('connect', (request, socket: Socket) => {
    const target = String(request.url)
    proxy.asked.push({ target, authorization: request.headers['proxy-authorization'] })
    socket.on('error', () => {})
    const status = answer(request)
    if (status === 'nothing') return
    if (status < 200 || status > 299) return void socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`)
    const port = Number(target.slice(target.lastIndexOf(':') + 1))
    const far = connect({ host: '127.0.0.1', port }, () => {
      socket.write(`HTTP/1.1 ${status} Connection established\r\n\r\n`)
      far.pipe(socket).pipe(far)
    })
    sockets.add(far)
    far.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  proxy.port = (server.address() as AddressInfo).port
  return proxy
}
