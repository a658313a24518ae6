import type { Server as HttpServer, IncomingMessage, ServerResponse } from 'node:http'
import type { ListenerLimits } from './listener-limits.ts'

/**
 * Lets callers read an answer that comes before the end of their body, such as 413. When the connection is closed at once,
 * the kernel answers what still arrives with a reset, and a client that is still writing never reads the answer. So the
 * sending side alone is closed, and what still comes is thrown away for a bounded time and number of bytes.
 *
 * After an answer that keeps the connection the bytes are bounded in the same way, and the time by that of a request.
 */
export function readRestOfBodyAfterEarlyAnswers(
  server: HttpServer,
  { lingerMs, lingerBytes }: Pick<ListenerLimits, 'lingerMs' | 'lingerBytes'>,
): void {
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    // Before the listener of node's own, which closes the connection with `destroySoon`.
    response.prependListener('finish', () => {
      if (request.complete) return
      const { socket } = request
      const close = socket.destroySoon.bind(socket)
      let left = lingerBytes
      request.unpipe()
      request.on('data', ({ length }: Buffer) => {
        left -= length
        if (left < 0) socket.destroy()
      })
      request.resume()
      socket.destroySoon = () => {
        socket.end()
        const timer = setTimeout(() => socket.destroy(), lingerMs)
        socket.once('close', () => clearTimeout(timer))
        if (request.complete) close()
        else request.once('end', close)
      }
    })
  })
}

/**
 * Asks for the body of a request that says `Expect: 100-continue` when something begins to read it: a request that is
 * refused by its headers, such as for a body that is too large, is answered at once and its body never sent.
 */
export function continueWhenRead(server: HttpServer): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    const { shouldKeepAlive } = response
    // After a refusal it is unknown whether the client sends the body or its next request.
    response.shouldKeepAlive = false
    request.once('resume', () => {
      if (response.headersSent) return
      response.shouldKeepAlive = shouldKeepAlive
      response.writeContinue()
    })
    server.emit('request', request, response)
  })
}
