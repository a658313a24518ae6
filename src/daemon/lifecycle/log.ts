import pino, { type DestinationStream, type Logger } from 'pino'

/** The parser of uploads logs the headers of its request at the finest level, keys and cookies among them. */
const SECRETS = ['busboyOptions.headers']

/**
 * The daemon's log: one JSON object per line, to standard output by default. Lines about a request have its `reqId`,
 * lines about a pass of the sweep its `passId`. Lines from `info` up contain no OIBs, keys, passphrases or XML.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = { level, redact: SECRETS }
  return destination ? pino(options, destination) : pino(options)
}
