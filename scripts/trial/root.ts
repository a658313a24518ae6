import { execFile } from 'node:child_process'

/** A Debian of its own in a folder. */
export interface Root {
  path(inside: string): string
  /** The program and its arguments that lead into it, before a command. */
  enter: readonly string[]
  /** Runs a shell command in it, as root. @returns what came of it, whatever that is */
  sh(command: string): Promise<Outcome>
  close(): Promise<void>
}

export interface Outcome {
  code: number
  stdout: string
  stderr: string
}

/** Runs a shell command in a Debian. @param enter what leads there: a program and its arguments */
export function shell(enter: readonly string[], command: string): Promise<Outcome> {
  const variables = Object.entries(ENVIRONMENT).map(([name, value]) => `${name}=${value}`)
  const [program = '', ...args] = [...enter, '/usr/bin/env', '-i', ...variables, '/bin/sh', '-c', command]
  return new Promise((resolve) => {
    const child = execFile(program, args, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    )
    child.stdin?.end()
  })
}

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
