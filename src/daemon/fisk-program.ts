import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

/** The arguments for node that run the `fisk` of this daemon, both from the bundle and from the sources. */
const FISK = import.meta.url.endsWith('.ts')
  ? ['--import', 'tsx', path('../cli/main.ts')]
  : // As deep below the package as this file: see scripts/bundle.ts.
    [path('../../bin/fisk.js')]

export interface FiskRun {
  args: readonly string[]
  env: NodeJS.ProcessEnv
  signal: AbortSignal
  /** `fisk` is killed when it writes more than this. */
  mostBytes: number
}

/**
 * Runs `fisk` and keeps what it writes to its standard output.
 * @throws Error when it could not be run, was ended before its time, or ended with an exit code; AbortError by the signal
 */
export function runFisk({ args, env, signal, mostBytes }: FiskRun): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...FISK, ...args], { env, signal, stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    let bytes = 0
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > mostBytes) child.kill()
      else chunks.push(chunk)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-2000)
    })
    child.once('error', reject)
    child.once('close', (code) => {
      if (bytes > mostBytes) reject(new Error(`fisk wrote more than ${mostBytes} bytes`))
      else if (code !== 0) reject(new Error(`fisk ended with ${code}: ${said.trim().split('\n').at(0)}`))
      else resolve(Buffer.concat(chunks))
    })
  })
}
