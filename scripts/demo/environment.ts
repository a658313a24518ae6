import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type PtyPrinter, type Simulator, startPtyPrinter, startSimulator } from '../../src/simulator/index.ts'
import { type Answer, ask, type Question } from '../chaos/http.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface DemoEnvironment {
  cis: Simulator
  /** On a serial line. */
  printer: PtyPrinter
  dir: string
  /** `https://127.0.0.1:PORT`. */
  base: string
  /** Runs the real `fisk` and returns what it printed with `--json`. */
  fisk(...args: string[]): Promise<Record<string, unknown>>
  /** One request over TLS, trusting the gateway's own CA. */
  v1(question: Question): Promise<Answer>
  /** Resolves when the daemon has ended, by `close` or by itself. */
  ended: Promise<unknown>
  close(): Promise<void>
}

/**
 * A simulated tax authority and printer, and the real daemon in a process of its own, on free ports of loopback.
 * @param dist the built programs, beside the `bin/` that starts them
 */
export async function openDemoEnvironment(dist = join(ROOT, 'dist')): Promise<DemoEnvironment> {
  const program = (name: string) => join(dist, '../bin', `${name}.js`)
  const dir = await mkdtemp(join(tmpdir(), 'fiskd-demo-'))
  const cis = await startSimulator()
  const printer = await startPtyPrinter({ linkPath: join(dir, 'usb-Printer-if00') })
  const env = {
    PATH: process.env.PATH,
    FISKD_DATA_DIR: dir,
    FISKD_LISTEN: '127.0.0.1:0',
    FISKD_CIS_TEST_URL: cis.url,
  }
  await writeFile(join(dir, 'authority-ca.pem'), cis.pki.bundlePem)
  const daemon = spawn(process.execPath, [program('fiskd')], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(daemon, 'exit')
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= (async () => {
      daemon.kill('SIGTERM')
      await ended
      printer.close()
      await cis.close()
      await rm(dir, { recursive: true, force: true })
    })()
    return closing
  }
  try {
    const base = await addressOf(daemon)
    const ca = await readFile(join(dir, 'tls', 'ca.pem'), 'utf8')
    return {
      cis,
      printer,
      dir,
      base,
      ended,
      close,
      async fisk(...args) {
        const { stdout } = await run(process.execPath, [program('fisk'), ...args, '--json'], { env })
        return JSON.parse(stdout)
      },
      async v1(question) {
        const answer = await ask({ base, agent: new Agent({ ca }) }, question)
        if (answer === null) throw new Error('the gateway does not answer')
        return answer
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** The daemon says in its log where it listens. */
async function addressOf(daemon: ChildProcess): Promise<string> {
  if (!daemon.stdout) throw new Error('the daemon has no output')
  const lines = createInterface({ input: daemon.stdout })
  for await (const line of lines) {
    const entry = JSON.parse(line) as { msg?: string; listen?: string[] }
    if (entry.msg !== 'ready') continue
    daemon.stdout.resume()
    return String(entry.listen?.[0])
  }
  throw new Error('the daemon ended before it was ready')
}
