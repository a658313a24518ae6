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
  readonly writableFinished: boolean
  once(event: 'close', listener: () => void): unknown
}

/**
 * Aborts when the client closes the connection before the response is written. Fastify's `request.signal` does not work
 * here: it aborts as soon as the body has been read.
 */
export function whileCallerWaits(response: Response): AbortSignal {
  const leaving = new AbortController()
  const onClose = () => {
    if (!response.writableFinished) leaving.abort(new FiskError('invalid_request', 'the caller has left'))
  }
  if (response.destroyed) onClose()
  else response.once('close', onClose)
  return leaving.signal
}
