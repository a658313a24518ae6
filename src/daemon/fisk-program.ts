import { execFile } from 'node:child_process'
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

/** @throws Error when it could not be run, ended before its time, or with an exit code; AbortError by the signal */
export function runFisk({ args, env, signal, mostBytes }: FiskRun): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const options = { env, signal, maxBuffer: mostBytes, encoding: 'buffer' } as const
    const child = execFile(process.execPath, [...FISK, ...args], options, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout)
      if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
        reject(new Error(`fisk wrote more than ${mostBytes} bytes`))
      else if (typeof error.code === 'string') reject(error)
      else reject(new Error(`fisk ended with ${child.exitCode}: ${stderr.toString().trim().split('\n').at(0)}`))
    })
    child.stdin?.end()
  })
}
