import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Answer, call } from './call.ts'
import type { Gateway, InvoiceBody } from './gateway.ts'
import { FISKD } from './programs.ts'

const ROOT = join(import.meta.dirname, '../..')

/** A daemon with a process of its own, whose memory and files can be counted. */
export interface DaemonProcess {
  pid: number
  url: string
  port: number
  ca: string
  /** Posts a sale with the gateway's key. */
  post(sale?: object): Promise<Answer<InvoiceBody>>
  /** Resident memory, MB: now, and the most since the process began or `forgetPeak`. */
  memory(): { now: number; peak: number }
  forgetPeak(): void
  /** Open files, sockets among them. */
  openFiles(): number
  /** What it logged so far, a JSON object per line. */
  log: string[]
  signal(name: NodeJS.Signals): void
  /** How it ended: exit code and signal. */
  ended: Promise<[number | null, NodeJS.Signals | null]>
  /** Asks it to end, and waits for it. */
  stop(): Promise<void>
}

let sales = 0

/** Runs the daemon on the data of a gateway, in whose place it takes sales; the gateway's own daemon is stopped. */
export async function runDaemon(
  gateway: Gateway,
  atTheEnd: (close: () => Promise<void>) => void,
  {
    env = {},
    preload = [],
    fromSources = false,
    program = FISKD,
  }: {
    env?: Record<string, string>
    preload?: string[] /** For what reaches into a module. */
    fromSources?: boolean
    /** The path of `fiskd`, of another release. */
    program?: string
  } = {},
): Promise<DaemonProcess> {
  await gateway.stop()
  const main = fromSources ? join(ROOT, 'src/daemon/main.ts') : program
  const daemon = spawn(process.execPath, [...imports([...(fromSources ? ['tsx'] : []), ...preload]), main], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      FISKD_DATA_DIR: gateway.dataDir,
      FISKD_LISTEN: '127.0.0.1:0',
      FISKD_CIS_TEST_URL: gateway.cis.url,
      FISKD_CIS_LIVE_URL: gateway.cis.url,
      // Nothing is swept unless a test asks for it.
      FISKD_SWEEP_INTERVAL_S: '86400',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  daemon.stderr.setEncoding('utf8').on('data', (text) => (said += text))
  // Not 'exit': what it logged last is read by then.
  const ended = once(daemon, 'close') as DaemonProcess['ended']
  atTheEnd(async () => {
    daemon.kill('SIGKILL')
    await ended
  })
  const log: string[] = []
  const url = await listeningAt(daemon.stdout, log)
  const ca = readFileSync(join(gateway.dataDir, 'tls', 'ca.pem'), 'utf8')
  const proc = `/proc/${daemon.pid}`

  return {
    pid: daemon.pid ?? 0,
    url,
    port: Number(new URL(url).port),
    ca,
    post(sale) {
      const headers = { authorization: `Bearer ${gateway.key}`, 'idempotency-key': `process-${sales++}` }
      return call({ base: url, ca }, { path: '/v1/invoices', body: gateway.sale(sale), headers })
    },
    memory() {
      const status = readFileSync(`${proc}/status`, 'utf8')
      const mb = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024
      return { now: mb('VmRSS'), peak: mb('VmHWM') }
    },
    forgetPeak: () => writeFileSync(`${proc}/clear_refs`, '5'),
    openFiles: () => readdirSync(`${proc}/fd`).length,
    log,
    signal: (name) => void daemon.kill(name),
    ended,
    async stop() {
      daemon.kill('SIGTERM')
      await ended
    },
  }
}

const imports = (modules: string[]) => modules.flatMap((module) => ['--import', module])

/** Resolves as soon as it listens; reads on, for ever. */
function listeningAt(stdout: NodeJS.ReadableStream, log: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: stdout })
    lines.on('close', () => reject(new Error('the daemon ended before it was ready')))
    lines.on('line', (line) => {
      log.push(line)
      if (line.includes('"msg":"ready"')) resolve(JSON.parse(line).listen[0])
    })
  })
}
