import { once } from 'node:events'
import { escapeControls } from '../domain/control-characters.ts'
import type { Client } from './daemon/client.ts'
import { wrongUse } from './failure.ts'
import { type Io, socketPath } from './io.ts'

interface GlobalOptions {
  json?: boolean
  socket?: string
  tenant?: string
}

/** One run of `fisk`: where it reads and writes, whom it asks and how it ends. */
export interface Session {
  readonly io: Io
  /** The global options, known once the command line has been read. */
  wantsJson(): boolean
  /** Questions may be asked: somebody is there, and the answer is not meant for a script. */
  mayAsk(): boolean
  socketPath(): string
  client(): Promise<Client>
  /** Control characters of what others wrote are escaped, so that no terminal obeys them; JSON keeps its value. */
  print(text: string): void
  /** Prints, and waits while the reader is slower: for what is too much to be held in memory. */
  stream(text: string): Promise<void>
  /** Prints the daemon's answer: with `--json` as it came, otherwise as text. */
  show<T>(answer: T, asText: (answer: T) => string | Promise<string>): Promise<void>
  /** What the process ends with when no failure is thrown; 0 at first. */
  exitCode: number
}

export function createSession(io: Io, options: () => GlobalOptions): Session {
  const wantsJson = () => options().json === true
  const path = () => socketPath(options().socket, io.env)
  const print = (text: string) => void io.stdout.write(escapeControls(text))
  return {
    io,
    wantsJson,
    mayAsk: () => io.isTty && !wantsJson(),
    socketPath: path,
    client: async () => {
      const { tenant } = options()
      if (tenant !== undefined && !/^[a-z0-9-]+$/.test(tenant)) {
        throw wrongUse('tenant', `"${tenant}" names no tenant: see \`fisk tenant list\`.`)
      }
      return (await import('./daemon/client.ts')).createClient(path(), tenant)
    },
    print,
    async stream(text) {
      if (!io.stdout.write(escapeControls(text))) await once(io.stdout, 'drain')
    },
    show: async (answer, asText) => print(wantsJson() ? `${JSON.stringify(answer, null, 2)}\n` : await asText(answer)),
    exitCode: 0,
  }
}
