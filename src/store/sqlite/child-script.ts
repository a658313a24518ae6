import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { setPriority } from 'node:os'
import { text } from 'node:stream/consumers'

export interface ChildScript<T> {
  /** What the script returned; undefined when it was stopped before. Rejects with the code of what it has thrown. */
  said: Promise<T | undefined>
  /** Breaks it off, whatever it is doing. */
  stop(): Promise<void>
}

type Answer<T> = { said: T } | { thrown: { message: string; code: string | undefined } }

/** Below everything that a sale does. */
const NICENESS = 10

/**
 * Runs a script in a process of its own, for what reads a whole database while sales go on: a thread could not be broken
 * off inside of SQLite, and would keep the daemon from ending. It is JavaScript in words, for it has to run from the
 * sources, too: the body of an async function of `Database` and `data`.
 */
export function runChildScript<T>(script: string, data: Record<string, unknown>): ChildScript<T> {
  const driver = createRequire(import.meta.url).resolve('better-sqlite3')
  const child = spawn(process.execPath, ['-e', inProcess(script)], { env: {}, stdio: ['pipe', 'pipe', 'ignore'] })
  child.unref()
  if (child.pid !== undefined) yieldToSales(child.pid)
  // Whoever it ended for is told below.
  child.stdin.on('error', () => {})
  child.stdin.end(JSON.stringify({ driver, data }))
  let isStopped = false
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))

  async function answer(): Promise<T | undefined> {
    const failed = new Promise<never>((_, reject) => child.once('error', reject))
    const written = await Promise.race([text(child.stdout), failed])
    if (isStopped) return undefined
    if (written === '') throw new Error('the process that reads the database ended without a word')
    const said: Answer<T> = JSON.parse(written)
    if ('said' in said) return said.said
    throw Object.assign(new Error(said.thrown.message), { code: said.thrown.code })
  }

  const said = answer()
  return {
    said,
    async stop() {
      isStopped = true
      // Somebody waits for its end from now on.
      child.ref()
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** The sandbox of fiskd.service refuses it (`SystemCallFilter=~@resources`): the reading then goes on beside the sales. */
function yieldToSales(pid: number): void {
  try {
    setPriority(pid, NICENESS)
  } catch {
    // It only is less polite.
  }
}

const inProcess = (script: string) => `
  const { text } = require('node:stream/consumers')
  const run = async (Database, data) => {
    ${script}
  }
  text(process.stdin)
    .then((sent) => JSON.parse(sent))
    .then(({ driver, data }) => run(require(driver), data))
    .then(
      (said) => ({ said }),
      ({ message, code }) => ({ thrown: { message, code } }),
    )
    .then((answer) => process.stdout.write(JSON.stringify(answer)))
`
