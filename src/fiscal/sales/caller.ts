import { FiskError } from '../../domain/errors.ts'

/** Somebody who waits for an answer. */
export interface Caller {
  /** Their IP address. */
  address: string
  /** Ends when their connection does before the answer; its reason is a FiskError that nobody reads. */
  signal: AbortSignal
}

/** The part of node's `ServerResponse` that tells when it is over. */
interface Response {
  readonly destroyed: boolean
  readonly writableFinished: boolean
  once(event: 'close', listener: () => void): unknown
}

/**
 * Ends when the caller of a response closes the connection before it is written.
 * Fastify's `request.signal` cannot be used: it ends as soon as the body has been read.
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
