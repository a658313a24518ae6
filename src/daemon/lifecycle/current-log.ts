import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyBaseLogger } from 'fastify'

const current = new AsyncLocalStorage<FastifyBaseLogger>()

/** Runs work under a log of its own, whose lines carry the id of a request or of a pass of the sweep. */
export function withLog<T>(log: FastifyBaseLogger, work: () => T): T {
  return current.run(log, work)
}

/** The log of the request or the pass under way, or another one when there is none. */
export function currentLog(otherwise: FastifyBaseLogger): FastifyBaseLogger {
  return current.getStore() ?? otherwise
}
