import pino, { type DestinationStream, type Logger } from 'pino'

/** The parser of uploads logs the headers of its request at the finest level, keys and cookies among them. */
const SECRETS = ['busboyOptions.headers']

/**
 * Bytes. Lines that come while others are being written are put together up to here, and with each of them all are copied:
 * with the usual 16 KB, as many as sales at the same time bring.
 */
const WRITTEN_TOGETHER = 1024

/**
 * The daemon's log: one JSON object per line, to standard output by default. Lines about a request have its `reqId`,
 * lines about a pass of the sweep its `passId`. Lines from `info` up contain no OIBs, keys, passphrases or XML.
 */
export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino({ level, redact: SECRETS }, destination ?? pino.destination({ maxWrite: WRITTEN_TOGETHER }))
}
