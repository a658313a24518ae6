import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createPki, startSimulator, startTcpPrinter } from '../../simulator/index.ts'
import { makeCertificates } from './certificates.ts'
import { adminAt, setUpCompany } from './set-up.ts'

const OIB = '02994650199'

export type ProvingGround = Awaited<ReturnType<typeof openProvingGround>>

/** A gateway that is set up to sell, with an authority of its own. */
export type Gateway = Awaited<ReturnType<ProvingGround['own']>>

/** @param fiskd path of the daemon's program @param host an address for the certificates, beside loopback */
export async function openProvingGround(fiskd: string, host: string) {
  const dir = await mkdtemp(join(tmpdir(), 'fisk-trial-'))
  // A signal ends the trial between two lines: its processes are killed first, then this goes.
  const remove = () => rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
  process.once('exit', remove)
  const closers: (() => unknown)[] = [
    async () => {
      process.off('exit', remove)
      await rm(dir, { recursive: true, force: true, maxRetries: 5 })
    },
  ]
  const close = async () => {
    for (const closeOne of closers.splice(0).reverse()) await closeOne()
  }
  try {
    const [pki, certificates] = await Promise.all([createPki(), makeCertificates(host)])
    const caFile = join(dir, 'ca.pem')
    await writeFile(caFile, certificates.caPem)
    const company = await pki.issueCompany({ oib: OIB, name: 'Firmware Trial' })

    /** One for a scenario that takes it away. @param onMessage the authority has stored a sale and not answered yet */
    const own = async (name: string, onMessage?: () => void) => {
      const dataDir = join(dir, name)
      await mkdir(join(dataDir, 'trust'), { recursive: true, mode: 0o700 })
      await writeFile(join(dataDir, 'trust', 'test.pem'), pki.bundlePem)
      const authority = await startSimulator({ pki, ...(onMessage && { onMessage }) })
      closers.push(() => authority.close())
      let running: GatewayProcess | null = null
      const gateway = {
        /** Null while it is down. */
        process: () => running,
        authority,
        admin: () => adminAt(join(dataDir, 'fiskd.sock')),
        companyId: '',
        async kill() {
          const ending = running
          running = null
          await ending?.kill()
        },
        async start() {
          running = await startGatewayProcess(fiskd, dataDir, authority.url)
        },
      }
      closers.push(() => gateway.kill())
      await gateway.start()
      gateway.companyId = await setUpCompany(gateway.admin(), OIB, company)
      return gateway
    }

    let shared: ReturnType<typeof own> | undefined
    return {
      dir,
      caFile,
      certificates,
      /** The one that scenarios share which do it no harm. */
      shared: () => (shared ??= own('gateway')),
      own,
      async printer() {
        const printer = await startTcpPrinter()
        closers.push(() => printer.close())
        return printer
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

type GatewayProcess = Awaited<ReturnType<typeof startGatewayProcess>>

const LAST_LINES = 5

/**
 * It gets its configuration from here alone, so it touches nothing of an installed one.
 * @param program path of `bin/fiskd.js` @throws Error with its last words when it ends before it is ready
 */
async function startGatewayProcess(program: string, dir: string, authority: string) {
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
        if (!line.includes('"msg":"ready"')) return
        const { listen }: { listen?: string[] } = JSON.parse(line)
        resolve(Number(new URL(String(listen?.[0])).port))
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
