import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Client } from 'undici'
import type { Chance } from '../../chaos/chance.ts'
import { freePort } from '../../chaos/ports.ts'
import type { Scratch } from '../../chaos/scratch.ts'
import { type Shop, setUpShop } from '../../chaos/shop.ts'
import { createKillableProcess, type KillableProcess } from '../../chaos-sync/machine.ts'
import { riseOrThrow } from '../../chaos-sync/servers.ts'
import { connect, workAll } from './clients.ts'
import { cpuMs } from './process-use.ts'
import type { Stub } from './stub.ts'

/** What a round of sales took. */
export interface Sold {
  /** Milliseconds from before the request until the whole answer is there, of each sale. */
  times: number[]
  perSecond: number
  /** Processor time per sale, milliseconds: of the daemon, of the stub and of the clients. */
  cpu: { daemon: number; stub: number; clients: number }
}

/** The built daemon with a shop, and an authority that costs nothing. */
export interface BenchEnvironment {
  daemon: KillableProcess
  /** PEM of the CA of its TLS certificate. */
  ca: string
  shop: Shop
  /** One sale by one client. @returns the answer's body @throws Error when it is not 200 */
  post(client: Client, machine: number): Promise<string>
  /** Sales as firmware makes them, by so many clients at a time, each at a machine of its own. @throws Error when one has no JIR */
  sell(clients: number, sales: number): Promise<Sold>
  /** Ends the daemon and removes its data. */
  close(): Promise<void>
}

export interface BenchEnvironmentOrder {
  name: string
  dist: string
  machines: number
  chance: Chance
  stub: Pick<Stub, 'pid' | 'facts' | 'sign'>
  /** Loaded into the daemon beside the known ids. */
  preloads?: string[]
  env?: Record<string, string>
}

/** More than anybody sells here: the limits count, and never refuse. */
const NO_LIMIT = { RATE_LIMIT_PER_MINUTE: '100000000', RATE_LIMIT_IP_PER_MINUTE: '100000000' }

/** Ids that setting up a shop and the daemon itself use, at most. */
const OTHER_IDS = 1000

/** A sale takes an id for its request and one for its message. */
const IDS_PER_SALE = 2

const KNOWN_IDS = fileURLToPath(new URL('known-ids.mjs', import.meta.url))

export async function openBenchEnvironment(order: BenchEnvironmentOrder, scratch: Scratch): Promise<BenchEnvironment> {
  const { name, dist, machines, chance, stub, preloads = [], env = {} } = order
  const daemon = createKillableProcess(
    {
      name,
      dist,
      authority: stub,
      port: await freePort(chance),
      env: {
        FISKD_SWEEP_INTERVAL_S: '300',
        RATE_LIMIT_ENABLED: 'true',
        ...NO_LIMIT,
        NODE_OPTIONS: [KNOWN_IDS, ...preloads].map((path) => `--import "${path}"`).join(' '),
        ...env,
      },
    },
    scratch,
  )
  await riseOrThrow(daemon)
  const shop = await setUpShop({ ...daemon, devices: machines, authority: stub.facts })
  // What setting up took is not in the life that is measured: machines are set up once, and sell for months.
  await daemon.stop()
  const sellers = shop.machines.map(({ id }) => id)
  await riseOrThrow(daemon)
  const ca = readFileSync(join(daemon.dataDir, 'tls', 'ca.pem'), 'utf8')
  let idsUsed = OTHER_IDS

  async function post(client: Client, machine: number): Promise<string> {
    const sale = { device_id: sellers[machine % sellers.length], total: '2.50', payment_method: 'G' }
    const { statusCode, body } = await client.request({
      method: 'POST',
      path: '/v1/invoices',
      headers: {
        authorization: `Bearer ${shop.key}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify({ ...sale, occurred_at: new Date().toISOString() }),
    })
    const text = await body.text()
    if (statusCode !== 200)
      throw new Error(`a sale was not taken: ${text}\n${lastLines(join(scratch.dir, `${name}.log`))}`)
    return text
  }

  async function round(clients: number, sales: number, work: (client: Client, machine: number) => Promise<void>) {
    const connections = await connect(daemon.base, ca, clients, '/v1/health')
    try {
      const uses = [daemon.pid() ?? 0, stub.pid, process.pid]
      const used = uses.map(cpuMs)
      const { times, seconds } = await workAll(connections, sales, work)
      const [ofDaemon = 0, ofStub = 0, ofClients = 0] = uses.map((pid, i) => (cpuMs(pid) - (used[i] ?? 0)) / sales)
      return { times, perSecond: sales / seconds, cpu: { daemon: ofDaemon, stub: ofStub, clients: ofClients } }
    } finally {
      await Promise.all(connections.map((connection) => connection.close()))
    }
  }

  return {
    daemon,
    ca,
    shop,
    post,
    async sell(clients, sales) {
      idsUsed += clients + IDS_PER_SALE * sales
      await stub.sign(idsUsed)
      return round(clients, sales, async (client, machine) => {
        const { status, jir } = JSON.parse(await post(client, machine))
        if (status !== 'confirmed' || !jir) throw new Error(`a sale is ${status} without a JIR`)
      })
    },
    async close() {
      await daemon.kill()
      rmSync(daemon.dataDir, { recursive: true })
    },
  }
}

const lastLines = (path: string): string => readFileSync(path, 'utf8').trimEnd().split('\n').slice(-3).join('\n')
