import { execFile } from 'node:child_process'
import type { Paper } from '../../src/simulator/index.ts'

/** A Debian of its own: in a folder, or in an emulated machine. */
export interface Root {
  /** Writes a file, and makes its folder. @param path without the first slash */
  write(path: string, content: string | Buffer): Promise<void>
  /** @throws Error when there is no such file */
  read(path: string): Promise<string>
  /** The program and its arguments that run a program in it, as root. */
  enter(argv: readonly string[]): string[]
  /** Runs a shell command in it, as root. @returns what came of it, whatever that is */
  sh(command: string): Promise<Outcome>
  /** Where fiskd shall listen in it for firmware on the LAN, and where this process reaches that. */
  lan: { listen: string; port: number; name: string }
  /** The host under which it reaches what listens on loopback of this process; the authority's certificate has few names. */
  host: string
  authority: string
  /** How it reaches the virtual printer. */
  printer: { line: string; papers: readonly Paper[] }
  /** How many times as long as on a computer something may take. */
  patience: number
  close(): Promise<void>
}

export interface Outcome {
  code: number
  stdout: string
  stderr: string
}

/** Runs a shell command in a Debian. @param input what it reads */
export function shell(enter: Root['enter'], command: string, input: string | Buffer = ''): Promise<Outcome> {
  const variables = Object.entries(ENVIRONMENT).map(([name, value]) => `${name}=${value}`)
  const [program = '', ...args] = enter(['/usr/bin/env', '-i', ...variables, '/bin/sh', '-c', command])
  return new Promise((resolve) => {
    const child = execFile(program, args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    )
    // A command that does not read ends before all is written.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

/** Whether a shell's condition is true in it. */
export const isTrue = async ({ sh }: Pick<Root, 'sh'>, condition: string): Promise<boolean> =>
  (await sh(condition)).code === 0

const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  DEBIAN_FRONTEND: 'noninteractive',
  LC_ALL: 'C.UTF-8',
  HOME: '/root',
  TERM: 'dumb',
}

/** @throws Error with the end of what it said, when it failed */
export function must(outcome: Outcome): Outcome {
  if (outcome.code === 0) return outcome
  throw new Error(`it ended with ${outcome.code}:\n${`${outcome.stdout}\n${outcome.stderr}`.trim().slice(-3000)}`)
}
