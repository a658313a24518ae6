import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Longer than a sale takes (two attempts of four seconds), and shorter than CLOSE_DELAY_MS of the daemon. */
const PATIENCE_MS = 9000

/** Sending the last bytes of a response takes a moment after `close`. */
const LINGER_MS = 100

/** `close()` loses no answer: answers the requests under way with `Connection: close`, then cuts all that is left. */
export function finishRequestsBeforeClose(server: HttpServer): { close(): Promise<void> } {
  const sockets = new Set<Socket>()
  const underWay = new Set<ServerResponse>()
  let closing = false
  server.prependListener('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    underWay.add(response)
    if (closing) sendAway(response)
    response.once('close', () => {
      underWay.delete(response)
      if (closing) setTimeout(cutWhenIdle, LINGER_MS)
    })
  })

  function cutWhenIdle(): void {
    if (underWay.size === 0) cut()
  }

  function cut(): void {
    for (const socket of sockets) socket.destroy()
  }

  return {
    async close() {
      closing = true
      for (const response of underWay) sendAway(response)
      const patience = setTimeout(cut, PATIENCE_MS)
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      cutWhenIdle()
      await closed
      clearTimeout(patience)
    },
  }
}

function sendAway(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}
