import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../package/run.ts'
import { bootRoot } from './booted-root.ts'

/** A Debian of its own in a folder. */
export interface Root {
  path(inside: string): string
  /** Runs a shell command in it, as root. @returns what came of it, whatever that is */
  sh(command: string): Promise<Outcome>
  close(): Promise<void>
}

export interface Outcome {
  code: number
  stdout: string
  stderr: string
}

/** needrestart asks which services to restart after an upgrade, where somebody is there to answer. */
const PACKAGES = [
  ...['systemd', 'systemd-sysv', 'dbus', 'udev', 'libstdc++6', 'ca-certificates'],
  ...['unattended-upgrades', 'needrestart'],
]
const MIRROR = 'http://deb.debian.org/debian'

/**
 * Makes a minimal Debian of this machine's architecture in a folder with debootstrap, as root, and boots its systemd.
 * @throws Error that says what is missing
 */
export async function makeRoot(suite: string): Promise<Root> {
  const dir = mkdtempSync(join(tmpdir(), `fiskd-${suite}-`))
  // Users of it pass through its root.
  chmodSync(dir, 0o755)
  run('debootstrap', ['--variant=minbase', `--include=${PACKAGES.join()}`, suite, dir, MIRROR])
  return bootRoot(dir)
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
