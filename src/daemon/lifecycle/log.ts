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
