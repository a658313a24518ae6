import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Scratch } from '../chaos/scratch.ts'
import type { Facts } from './facts.ts'
import type { Way } from './ways.ts'

export interface Sale {
  /** IdPoruke */
  id: string
  number: number
}

/** The JIR that a way took from an answer, or why it took none. */
export type Taken = string | { refused: string }

/** A way in a process of its own. */
export interface Peer {
  pid: number
  /** One sale after another. @throws Error when it ends instead */
  sell(url: string, sales: Sale[]): Promise<Taken[]>
  end(): void
}

export function startPeer({ name, command, verifies }: Way, facts: Facts, scratch: Scratch): Peer {
  const settings = join(scratch.dir, `${name.replaceAll(/\W+/g, '-')}.json`)
  writeFileSync(settings, JSON.stringify({ ...facts, verifies }))
  const [program, ...args] = command
  // No proxy and no other CA of the environment: requests prefers REQUESTS_CA_BUNDLE to what it is told.
  const env = { PATH: process.env.PATH }
  const child = spawn(program, [...args, settings], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  scratch.atTheEnd(() => void child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    pid: child.pid ?? 0,
    async sell(url, sales) {
      child.stdin.write(`${JSON.stringify({ url, sales })}\n`)
      const { value, done } = await lines.next()
      if (done) throw new Error(`${name} ended`)
      return JSON.parse(value)
    },
    end: () => void child.kill(),
  }
}
