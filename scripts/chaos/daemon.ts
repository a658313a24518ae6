import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Scratch } from './scratch.ts'
import { tick } from './wait.ts'

export interface Ending {
  code: number | null
  signal: NodeJS.Signals | null
  /** What it said last, for whoever wants to know why it ended. */
  lastWords: string
}

/** One life of the daemon. */
export interface Life {
  pid: number | undefined
  /** Milliseconds from the start until it said that it is ready, or null when it ended before. */
  ready: Promise<number | null>
  ended: Promise<Ending>
  /** SIGKILL. Resolves when the process is gone. */
  kill(): Promise<Ending>
  /** SIGTERM; SIGKILL when that takes longer than the daemon promises. */
  terminate(): Promise<Ending>
}

/** How the C library handles memory, as the unit says it. */
const UNIT = fileURLToPath(new URL('../../systemd/fiskd.service', import.meta.url))
const TUNABLES = /^Environment=GLIBC_TUNABLES=(.+)$/m.exec(readFileSync(UNIT, 'utf8'))?.[1] ?? ''

/** A daemon that says nothing for so long hangs. */
const START_MS = 60_000

/** What a stop may take (10 s), and some time for a busy machine. */
const STOP_MS = 15_000
const LAST_WORDS = 20

/**
 * Starts the built daemon in a process of its own.
 * @param dist folder with `daemon/main.js`
 * @param logName where its log goes in the scratch folder
 */
export function startDaemon(dist: string, env: Record<string, string>, scratch: Scratch, logName = 'daemon.log'): Life {
  const startedAt = tick()
  const child = spawn(process.execPath, [join(dist, 'daemon/main.js')], {
    // Only what is given here and what the unit gives: neither the caller's variables of fiskd nor its preloads.
    env: {
      PATH: process.env.PATH ?? '',
      GLIBC_TUNABLES: TUNABLES,
      // The unit's own folder is not there.
      NODE_COMPILE_CACHE: join(scratch.dir, 'compiled'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  scratch.atTheEnd(() => void child.kill('SIGKILL'))
  const lastWords: string[] = []
  const hear = (line: string) => {
    lastWords.push(line)
    if (lastWords.length > LAST_WORDS) lastWords.shift()
    appendFileSync(join(scratch.dir, logName), `${line}\n`)
  }

  const ended = new Promise<Ending>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal, lastWords: lastWords.join('\n') }))
  })
  const ready = new Promise<number | null>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        hear(line)
        if (line.includes('"msg":"ready"')) resolve(tick() - startedAt)
      })
    }
    void ended.then(() => resolve(null))
  })
  const patience = setTimeout(() => {
    hear(`it was not ready in ${START_MS / 1000} s`)
    child.kill('SIGABRT')
  }, START_MS)
  void ready.then(() => clearTimeout(patience))

  return {
    pid: child.pid,
    ready,
    ended,
    kill: () => end(child, 'SIGKILL', ended),
    async terminate() {
      const stopping = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      const ending = await end(child, 'SIGTERM', ended)
      clearTimeout(stopping)
      return ending
    },
  }
}

function end(child: ChildProcess, signal: NodeJS.Signals, ended: Promise<Ending>): Promise<Ending> {
  child.kill(signal)
  return ended
}
