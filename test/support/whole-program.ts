import { PassThrough, Readable } from 'node:stream'
import { wholeProgram } from '../../src/cli/program.ts'

const streams = { stdin: Readable.from([]), stdout: new PassThrough(), stderr: new PassThrough() }

/** `fisk` with every command that it has. */
export const program = await wholeProgram({ ...streams, isTty: false, env: {} })
