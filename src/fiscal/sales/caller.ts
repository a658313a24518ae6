import { FiskError } from '../../domain/errors.ts'

/** A client that waits for an answer. */
export interface Caller {
  address: string
  /** Aborts when the client disconnects before the answer. Its reason is a FiskError, which no client sees. */
  signal: AbortSignal
}

/** The part of node's `ServerResponse` that tells whether it has ended. */
interface Response {
  readonly destroyed: boolean
  readonly headersSent: boolean
  readonly writableFinished: boolean
  readonly req: {
    socket: { readableEnded: boolean } & Record<'once' | 'off', (event: 'end', probe: () => void) => unknown>
  }
  once(event: 'close', listener: () => void): unknown
  writeProcessing(): void
}

/**
 * Aborts when the client closes the connection before the response is written. Fastify's `request.signal` does not work
 * here: it aborts as soon as the body has been read.
 */
export function whileCallerWaits(response: Response): AbortSignal {
  const leaving = new AbortController()
  const { socket } = response.req
  // A client that has closed its sending side may still wait: one that is gone refuses what is sent to it.
  const probe = () => void (response.headersSent || response.writeProcessing())
  const onClose = () => {
    socket.off('end', probe)
    if (!response.writableFinished) leaving.abort(new FiskError('invalid_request', 'the caller has left'))
  }
  if (response.destroyed) onClose()
  else response.once('close', onClose)
  if (socket.readableEnded) probe()
  else socket.once('end', probe)
  return leaving.signal
}
