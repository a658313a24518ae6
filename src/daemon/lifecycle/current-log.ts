import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyBaseLogger } from 'fastify'

const current = new AsyncLocalStorage<FastifyBaseLogger>()

/** Runs work under a log of its own, whose lines carry the id of a request or of a pass of the sweep. */
export const withLog = <T>(log: FastifyBaseLogger, work: () => T): T => current.run(log, work)

/** The log of the request or the pass under way, or another one when there is none. */
export const currentLog = (otherwise: FastifyBaseLogger): FastifyBaseLogger => current.getStore() ?? otherwise
