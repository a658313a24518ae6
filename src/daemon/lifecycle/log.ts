import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyBaseLogger } from 'fastify'
import pino, { type DestinationStream, type Logger } from 'pino'

/** The parser of uploads logs the headers of its request at the finest level, keys and cookies among them. */
const SECRETS = ['busboyOptions.headers']

/** Lines of a request have its `reqId`, of a pass its `passId`; from `info` up no OIBs, keys, passphrases or XML. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino({ level, redact: SECRETS }, destination ?? standardOutput())
}

/** Takes bytes: lines that wait as one text would be copied with each further line, for their bytes to be counted. */
function standardOutput() {
  const output = pino.destination({ contentMode: 'buffer' })
  // Its types know texts alone.
  const ofBytes = output as unknown as { write(bytes: Buffer): boolean }
  return {
    write: (line: string) => void ofBytes.write(Buffer.from(line)),
    flushSync: () => output.flushSync(),
  }
}

const current = new AsyncLocalStorage<FastifyBaseLogger>()

/** Runs work under a log of its own, whose lines carry the id of a request or of a pass of the sweep. */
export const withLog = <T>(log: FastifyBaseLogger, work: () => T): T => current.run(log, work)

/** The log of the request or the pass under way, or another one when there is none. */
export const currentLog = (otherwise: FastifyBaseLogger): FastifyBaseLogger => current.getStore() ?? otherwise
