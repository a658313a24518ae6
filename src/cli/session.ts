import { once } from 'node:events'
import { escapeControls } from '../domain/control-characters.ts'
import type { Client } from './daemon/client.ts'
import { wrongUse } from './failure.ts'
import { type Io, socketPath } from './io.ts'
import { type Screen, screenOf } from './text/screen.ts'

type AsText<T> = (answer: T, screen: Screen) => string | Promise<string>

/** One run of `fisk`: where it reads and writes, whom it asks and how it ends. */
export interface Session {
  readonly io: Io
  /** What texts are laid out for, in the language of the user; JSON is English. */
  readonly screen: Screen
  /** The global options, known once the command line has been read. */
  wantsJson(): boolean
  /** True when `fisk` may ask questions: it runs on a terminal, and its output is not for a script. */
  mayAsk(): boolean
  socketPath(): string
  client(): Promise<Client>
  /** Prints with control characters escaped, so that no terminal executes them; JSON keeps its value. */
  print(text: string): void
  /** Prints and waits for a slow reader; for output that is too large for memory. */
  stream(text: string): Promise<void>
  /** Prints the daemon's answer: with `--json` as it came, otherwise as text. @param isFine else the exit code is 1 */
  show<T>(answer: T, asText: AsText<T>, isFine?: (answer: T) => boolean): Promise<void>
  ask<T>(work: (client: Client) => Promise<T>, asText: AsText<T>, isFine?: (answer: T) => boolean): Promise<void>
  /** What the process ends with when no failure is thrown; 0 at first. */
  exitCode: number
}

export function createSession(io: Io, options: () => { json?: boolean; socket?: string; tenant?: string }): Session {
  const screen = screenOf(io)
  const wantsJson = () => options().json === true
  const path = () => socketPath(options().socket, io.env)
  const print = (text: string) => void io.stdout.write(escapeControls(text))
  const client = async () => {
    const { tenant } = options()
    if (tenant !== undefined && !/^[a-z0-9-]+$/.test(tenant)) {
      throw wrongUse('tenant', `"${tenant}" names no tenant: see \`fisk tenant list\`.`)
    }
    return (await import('./daemon/client.ts')).createClient(path(), tenant)
  }
  return {
    io,
    screen,
    wantsJson,
    mayAsk: () => io.isTty && !wantsJson(),
    socketPath: path,
    client,
    print,
    async stream(text) {
      if (!io.stdout.write(escapeControls(text))) await once(io.stdout, 'drain')
    },
    async show(answer, asText, isFine) {
      print(wantsJson() ? `${JSON.stringify(answer, null, 2)}\n` : await asText(answer, screen))
      if (isFine?.(answer) === false) this.exitCode = 1
    },
    async ask(work, ...shown) {
      await this.show(await work(await client()), ...shown)
    },
    exitCode: 0,
  }
}
