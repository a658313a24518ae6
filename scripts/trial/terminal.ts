import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Root } from './root.ts'

/** A question that appears on the screen, and the keys that answer it; Enter follows. */
export type Dialogue = readonly (readonly [question: string, keys: string])[]

export interface Screen {
  /** What was shown, without colours and the movements of the cursor. */
  text: string
  code: number
  /** The questions that were answered. */
  answered: number
}

export const DOWN = '\u001b[B'

/** How long nothing may change before the next key: a person reads. */
const READ_MS = 150
const MOST_MS = 180_000

/**
 * Types a command into a terminal of 80 columns in a Debian, and answers its questions.
 * @throws Error with the screen when it asks something else, or does not end
 */
export async function type({ enter }: Root, command: string, dialogue: Dialogue = []): Promise<Screen> {
  const environment = ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'TERM=xterm', 'HOME=/root']
  const typed = `stty cols 80 rows 50; ${command}`
  const inside = ['/usr/bin/env', '-i', ...environment, 'LC_ALL=C.UTF-8', 'DEBIAN_FRONTEND=noninteractive']
  const [program = '', ...args] = enter([...inside, 'script', '-qefc', typed, '/dev/null'])
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  let shown = ''
  let from = 0
  const note = (chunk: Buffer) => {
    shown += chunk.toString('utf8')
  }
  child.stdout.on('data', note)
  child.stderr.on('data', note)
  const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)))
  let code: number | undefined
  void ended.then((its) => {
    code = its
  })
  const until = performance.now() + MOST_MS
  let answered = 0
  for (const [question, keys] of dialogue) {
    while (!plain(shown.slice(from)).includes(question)) {
      if (code !== undefined) break
      if (performance.now() > until) {
        child.kill('SIGKILL')
        throw new Error(`"${question}" was not asked:\n${plain(shown).slice(-3000)}`)
      }
      await pause(50)
    }
    if (code !== undefined) break
    await pause(READ_MS)
    from = shown.length
    if (keys !== '') child.stdin.write(keys)
    await pause(READ_MS)
    child.stdin.write('\r')
    answered += 1
  }
  while (code === undefined && performance.now() < until) await pause(50)
  if (code === undefined) {
    child.kill('SIGKILL')
    throw new Error(`it does not end:\n${plain(shown).slice(-3000)}`)
  }
  return { text: plain(shown), code, answered }
}

function plain(shown: string): string {
  return (
    shown
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what a terminal is told
      .replace(/\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b[()][A-Z0-9]/g, '')
      .replaceAll('\r', '')
  )
}
