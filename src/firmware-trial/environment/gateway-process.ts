import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A running fiskd on a data directory of the trial. */
export type GatewayProcess = Awaited<ReturnType<typeof startGatewayProcess>>

const LAST_LINES = 5

/**
 * Starts fiskd on loopback. It gets its configuration from here alone, so it touches nothing of an installed one.
 * @param program path of `bin/fiskd.js`
 * @throws Error with its last words when it ends before it is ready
 */
export async function startGatewayProcess(program: string, dir: string, authority: string) {
  const daemon = spawn(process.execPath, [program], {
    cwd: dir,
    env: {
      PATH: process.env.PATH,
      FISKD_DATA_DIR: dir,
      FISKD_LISTEN: '127.0.0.1:0',
      FISKD_CIS_TEST_URL: authority,
      // Nobody sells in live mode here, and the real service is not to be asked anything.
      FISKD_CIS_LIVE_URL: authority,
      FISKD_LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const gone = once(daemon, 'exit')
  const killOurs = () => void daemon.kill('SIGKILL')
  process.prependOnceListener('exit', killOurs)
  void gone.then(() => process.off('exit', killOurs))
  const words: string[] = []
  const port = await new Promise<number>((resolve, reject) => {
    for (const stream of [daemon.stdout, daemon.stderr]) {
      createInterface({ input: stream }).on('line', (line) => {
        words.push(line)
        if (words.length > LAST_LINES) words.shift()
        if (line.includes('"msg":"ready"')) resolve(portIn(line))
      })
    }
    gone.then(() => reject(new Error(`fiskd did not start for the trial:\n${words.join('\n')}`)), reject)
  })
  return {
    port,
    /** Of its own TLS certificate. */
    ca: await readFile(join(dir, 'tls', 'ca.pem'), 'utf8'),
    socketPath: join(dir, 'fiskd.sock'),
    /** Ends it as a power cut does; resolves when it is gone. */
    async kill() {
      killOurs()
      await gone
    },
  }
}

function portIn(line: string): number {
  const entry: { listen?: string[] } = JSON.parse(line)
  return Number(new URL(String(entry.listen?.[0])).port)
}
