import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { eventually } from '../../support/eventually.ts'

/** A sample that runs as the firmware of a machine. */
export interface Firmware {
  /** The button is pressed: `sell SALE TOTAL METHOD [ITEM]`. */
  press(line: string): void
  /** What it told the machine: `goods`, `refused` and `screen`. */
  said: string[]
  log(): string
  until(line: string): Promise<void>
  /** The power goes. */
  kill(): Promise<void>
  /** No more buttons are pressed. @returns its exit code, when it has finished */
  end(): Promise<number | null>
}

export function startFirmware(
  [program = '', ...args]: readonly string[],
  env: Record<string, string>,
  atTheEnd: (close: () => Promise<void>) => void,
): Firmware {
  // A group of its own: a script has children, and the power goes for all of them.
  const child = spawn(program, args, { env: { PATH: process.env.PATH, ...env }, detached: true })
  const ended = once(child, 'close') as Promise<[number | null]>
  const said: string[] = []
  let log = ''
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (/^(goods|refused|screen) /.test(line)) said.push(line)
  })
  child.stderr.setEncoding('utf8').on('data', (text) => (log += text))
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null && child.pid) process.kill(-child.pid, 'SIGKILL')
    await ended
  }
  atTheEnd(kill)
  return {
    press: (line) => void child.stdin.write(`${line}\n`),
    said,
    log: () => log,
    until: (line) =>
      eventually(() => {
        if (!said.includes(line)) throw new Error(`it has not said ${line}: ${said.join(', ')}\n${log}`)
      }),
    kill,
    async end() {
      child.stdin.end()
      return (await ended)[0]
    },
  }
}
