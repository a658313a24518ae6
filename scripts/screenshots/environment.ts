import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { type Client, createClient } from '../../src/cli/daemon/client.ts'
import { NewKeySchema } from '../../src/contract/admin/access.ts'
import { readConfig } from '../../src/daemon/config.ts'
import { type Daemon, startDaemon } from '../../src/daemon/lifecycle/daemon.ts'
import { prepare } from '../../src/daemon/lifecycle/prepare.ts'
import { createPki, type Simulator, startSimulator } from '../../src/simulator/index.ts'
import { call } from '../../test/support/call.ts'
import { healthyMachine } from '../../test/support/machine.ts'

const DAY_MS = 86_400_000

/** A gateway or the central server, as the people see it who work with it. */
export interface Instance {
  name: string
  dataDir: string
  url: string
  daemon: Daemon
  /** Over its admin socket. */
  admin: Client
  /** Posts a sale with a firmware key. @returns its id */
  sell(sale: Record<string, unknown>): Promise<string>
  close(): Promise<void>
}

/** One clock for everybody, the tax authority included: it can be set back weeks and walked forward. */
export interface ScreenshotEnvironment {
  cis: Simulator
  now(): number
  /** Nothing happens in between. */
  walkTo(at: number): void
  open(name: string, role: 'gateway' | 'server'): Promise<Instance>
  close(): Promise<void>
}

/** @param startAt epoch milliseconds that everything begins at, at most 30 days ago */
export async function openScreenshotEnvironment(startAt: number): Promise<ScreenshotEnvironment> {
  const dir = await mkdtemp(join(tmpdir(), 'fiskd-screenshots-'))
  const firstAheadMs = startAt - Date.now()
  let aheadMs = firstAheadMs
  const now = () => Date.now() + aheadMs
  const pki = await createPki({ notBefore: new Date(startAt - 30 * DAY_MS) })
  const cis = await startSimulator({ pki, now })
  const instances: Instance[] = []
  const system = { now, elapsed: () => performance.now() + aheadMs - firstAheadMs, synchronised: async () => true }

  async function open(name: string, role: 'gateway' | 'server'): Promise<Instance> {
    const dataDir = join(dir, name)
    const config = readConfig({
      FISKD_ROLE: role,
      FISKD_DATA_DIR: dataDir,
      FISKD_LISTEN: '127.0.0.1:0',
      FISKD_LOG_LEVEL: 'silent',
      FISKD_CIS_TEST_URL: cis.url,
      FISKD_CIS_LIVE_URL: cis.url,
      // What is to be seen waiting must wait.
      FISKD_SWEEP_INTERVAL_S: '86400',
      RATE_LIMIT_ENABLED: 'false',
    })
    await mkdir(join(dataDir, 'trust'), { recursive: true })
    await writeFile(join(dataDir, 'trust', 'test.pem'), pki.bundlePem)
    await prepare(config, now())
    const daemon = await startDaemon(config, pino({ level: 'silent' }), system, healthyMachine())
    const [url = ''] = daemon.urls
    const admin = createClient(config.socketPath)
    const { key } = await admin.post('/admin/keys', NewKeySchema, { mode: 'test', name: 'Firmware automata' })
    const ca = await readFile(join(dataDir, 'tls', 'ca.pem'), 'utf8')
    let sales = 0
    let closing: Promise<void> | undefined
    const instance: Instance = {
      name,
      dataDir,
      url,
      daemon,
      admin,
      async sell(sale) {
        const headers = { authorization: `Bearer ${key}`, 'idempotency-key': `${name}-${++sales}` }
        const body = { occurred_at: new Date(now() - 500).toISOString(), ...sale }
        const answer = await call<{ id: string }>({ base: url, ca }, { path: '/v1/invoices', headers, body })
        if (answer.status !== 200) throw new Error(`${name}: ${answer.text}`)
        return answer.body.id
      },
      close: () => (closing ??= daemon.close()),
    }
    instances.push(instance)
    return instance
  }

  return {
    cis,
    now,
    open,
    walkTo(at) {
      aheadMs = Math.max(aheadMs, at - Date.now())
    },
    async close() {
      for (const instance of instances.toReversed()) await instance.close()
      await cis.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
