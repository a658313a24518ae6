import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, writeFileSync } from 'node:fs'

/** An emulated machine that runs. It reaches the loopback of this host as 10.0.2.2. */
export interface Machine {
  pid: number | undefined
  /** What it said so far. */
  readonly console: string
  /** Types on its console. */
  type(text: string): void
  /** @throws Error with the end of what it said, when it ends or the time is over before it said this */
  wait(text: string | RegExp, ms: number): Promise<void>
  /** SIGKILL, at once; for the end of a process that has no time to wait. */
  kill(): void
  /** Takes the current away. Resolves when the emulator is gone. What it had not handed to its disks is lost. */
  powerOff(): Promise<void>
  /** Exit code of the emulator, or null after a signal. */
  ended: Promise<number | null>
}

const LAST_WORDS = 3000

/**
 * The machine that a process emulates, whose console is the input and output of that process.
 * @param log the file that gets all that the machine says
 * @param hint what to do when the emulator cannot be run
 * @param kill ends it at once
 */
export function machineOf(child: ChildProcess, log: string, hint: string, kill: () => void): Machine {
  writeFileSync(log, '')
  let said = ''
  let isOver = false
  const listeners = new Set<() => void>()
  const hear = (chunk: Buffer | string) => {
    said += chunk.toString()
    appendFileSync(log, chunk)
    for (const listener of listeners) listener()
  }
  child.stdout?.on('data', hear)
  child.stderr?.on('data', hear)
  child.stdin?.on('error', () => {})
  const ended = endOf(child, (problem) => hear(`${problem}: ${hint}\n`)).finally(() => {
    isOver = true
    for (const listener of listeners) listener()
  })

  return {
    pid: child.pid,
    get console() {
      return said
    },
    type: (text) => void child.stdin?.write(text),
    wait(text, ms) {
      return new Promise((resolve, reject) => {
        const finish = (problem?: string) => {
          clearTimeout(patience)
          listeners.delete(look)
          if (problem === undefined) resolve()
          else reject(new Error(`the machine ${problem} before it said ${text}:\n${said.slice(-LAST_WORDS)}`))
        }
        const look = () => {
          if (typeof text === 'string' ? said.includes(text) : text.test(said)) finish()
          else if (isOver) finish('ended')
        }
        const patience = setTimeout(() => finish(`took more than ${ms / 1000} s`), ms)
        listeners.add(look)
        look()
      })
    },
    kill,
    async powerOff() {
      kill()
      await ended
    },
    ended,
  }
}

async function endOf(child: ChildProcess, tell: (problem: string) => void): Promise<number | null> {
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    return code
  } catch (error) {
    tell((error as Error).message)
    return null
  }
}
