import pino, { type DestinationStream, type Logger } from 'pino'

/** The parser of uploads logs the headers of its request at the finest level, keys and cookies among them. */
const SECRETS = ['busboyOptions.headers']

/**
 * The daemon's log: a JSON object per line, to standard output unless told otherwise. What concerns a request carries
 * its `reqId`, what a pass of the sweep does its `passId`. From `info` on nobody finds OIBs, keys, passphrases or XML.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  const options = { level, redact: SECRETS }
  return destination ? pino(options, destination) : pino(options)
}
