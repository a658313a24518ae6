import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import type { Ending, Spoken } from '../evidence.ts'
import type { Firmware, FirmwareEnvironment } from './firmware.ts'

const KEPT_LINES = 20

/** Takes presses of the button on standard input and says on standard output what it does. */
export function createFirmwareProcess(
  command: readonly string[],
  environment: FirmwareEnvironment,
  patienceMs: number,
  onLine: (line: string) => void = () => {},
): Firmware {
  let running: ReturnType<typeof begin> | undefined
  let isFinishing = false
  const firmware: Firmware = {
    life: () => firmware.endings.length,
    spoken: [],
    endings: [],
    isEnding: (life) => isFinishing || firmware.endings[life - 1]?.killed === true,
    log: [],
    async start(changed = {}, hoursAhead) {
      running = begin(changed, hoursAhead)
      const { child } = running
      await new Promise((resolve, reject) => {
        child.once('spawn', resolve)
        child.once('error', (error) => reject(new Error(`the firmware does not start: ${error.message}`)))
      })
    },
    async press({ word, total, method }) {
      running?.child.stdin.write(`sell ${word} ${total} ${method}\n`)
    },
    async kill() {
      if (!running) return
      running.ending.killed = true
      killGroup(running.child)
      await running.gone
    },
    ask: null,
    async finish() {
      if (!running) return
      const { child, gone, ending } = running
      isFinishing = true
      child.stdin.end()
      const patience = new AbortController()
      await Promise.race([gone, delay(patienceMs, undefined, { signal: patience.signal }).catch(() => {})])
      patience.abort()
      if (child.exitCode !== null || child.signalCode !== null) return
      ending.overdue = true
      killGroup(child)
      await gone
    },
    async end() {
      if (!running) return
      killGroup(running.child)
      await running.gone
    },
  }

  function begin(changed: Partial<FirmwareEnvironment>, hoursAhead?: number) {
    const clock = hoursAhead === undefined ? [] : ['faketime', '-f', `+${hoursAhead}h`]
    const [program = '', ...args] = [...clock, ...command]
    // A process group of its own: a shell that starts the real program must not outlive the trial, nor the program the shell.
    const child = spawn(program, args, {
      env: { ...process.env, ...environment, ...changed, FAKETIME_DONT_FAKE_MONOTONIC: '1' },
      stdio: 'pipe',
      detached: true,
    })
    const ending: Ending = {
      life: firmware.endings.length + 1,
      killed: false,
      code: null,
      signal: null,
      overdue: false,
    }
    firmware.endings.push(ending)
    const kill = () => killGroup(child)
    process.prependOnceListener('exit', kill)
    const gone = once(child, 'close').then(
      ([code, signal]) => {
        process.off('exit', kill)
        Object.assign(ending, { code, signal })
      },
      () => process.off('exit', kill),
    )
    // It may have ended before it reads what is pressed.
    child.stdin.on('error', () => {})
    createInterface({ input: child.stdout }).on('line', (line) => hear(line, ending.life))
    createInterface({ input: child.stderr }).on('line', note)
    return { child, gone, ending }
  }

  function hear(line: string, life: number): void {
    const spoken = spokenIn(line)
    if (spoken) firmware.spoken.push({ ...spoken, at: Date.now(), life })
    else note(line)
  }

  function note(line: string): void {
    onLine(line)
    firmware.log.push(line.slice(0, 500))
    if (firmware.log.length > KEPT_LINES) firmware.log.shift()
  }

  return firmware
}

function killGroup(child: ChildProcessWithoutNullStreams): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}

/** What a line of the firmware says to the trial; null for a line of its log. */
function spokenIn(line: string): Pick<Spoken, 'kind' | 'word' | 'text'> | null {
  const [, kind, word = '', text = ''] = /^(goods|refused|screen) (\S+)(?: (.*))?$/.exec(line.trimEnd()) ?? []
  if (kind === 'screen') return { kind, word, text }
  if ((kind === 'goods' || kind === 'refused') && text === '') return { kind, word, text }
  return null
}
