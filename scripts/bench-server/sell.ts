import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'undici'
import { connect } from '../bench/environment/clients.ts'
import { cpuMs } from '../bench/environment/process-use.ts'
import { median, quantile } from '../bench/statistics.ts'
import type { Chance } from '../chaos/chance.ts'
import type { Machine, Shop } from '../chaos/shop.ts'
import type { KillableProcess } from '../chaos-sync/machine.ts'
import type { Ground, ServerStand } from './environment.ts'

export interface SellOrder {
  processes: number
  premises: number
  clients: number
  seconds: number
}

export interface Sold {
  perSecond: number
  medianMs: number
  /** 99 %. */
  slowMs: number
  /** Answers that were no 200, by what they said. */
  refusals: Map<string, number>
  /** Processor time of a sale, milliseconds. */
  cpu: { fiskd: number; postgres: number; line: number; stub: number; clients: number }
}

/** Connections are opened, statements prepared and caches filled in it; its sales are not counted. */
const WARM_UP_MS = 2000

/** Sales of clients that each sell one after another: at premises chosen at random, each at one process. */
export async function sell(order: SellOrder, stand: ServerStand, ground: Ground): Promise<Sold> {
  const { shop } = stand
  const servers = stand.servers.slice(0, order.processes)
  const machines = shop.machines.slice(0, 2 * order.premises)
  const [first, ...others] = machines
  if (!first) throw new Error('the shop has no machine')
  const clients = await clientsOf(servers, order.clients)
  const pids = servers.map((server) => server.pid() ?? 0)
  const used = () => ({
    fiskd: pids.reduce((sum, pid) => sum + cpuMs(pid), 0),
    postgres: ground.postgresCpuMs(),
    line: cpuMs(ground.line.pid),
    stub: cpuMs(ground.stub.pid),
    clients: cpuMs(process.pid),
  })
  const refusals = new Map<string, number>()
  const times: number[] = []
  let [counting, over] = [false, false]
  const work = async (client: Client, chance: Chance) => {
    while (!over) {
      const asked = performance.now()
      const refusal = await post(client, shop, chance.pick([first, ...others]))
      if (refusal !== null) refusals.set(refusal, (refusals.get(refusal) ?? 0) + 1)
      else if (counting && !over) times.push(performance.now() - asked)
    }
  }
  const working = clients.map((client) => work(client, ground.chance.branch()))
  await pause(WARM_UP_MS)
  const before = used()
  const started = performance.now()
  counting = true
  await pause(order.seconds * 1000)
  over = true
  const seconds = (performance.now() - started) / 1000
  const after = used()
  await Promise.all(working)
  await Promise.all(clients.map((client) => client.close()))
  const each = (what: keyof typeof before) => (after[what] - before[what]) / times.length
  return {
    perSecond: times.length / seconds,
    medianMs: median(times),
    slowMs: quantile(times, 0.99),
    refusals,
    cpu: {
      fiskd: each('fiskd'),
      postgres: each('postgres'),
      line: each('line'),
      stub: each('stub'),
      clients: each('clients'),
    },
  }
}

async function clientsOf(servers: readonly KillableProcess[], count: number): Promise<Client[]> {
  const shares = servers.map((_, i) => Math.floor(count / servers.length) + (i < count % servers.length ? 1 : 0))
  const connections = await Promise.all(
    servers.map(({ base, dataDir }, i) =>
      connect(base, readFileSync(join(dataDir, 'tls', 'ca.pem'), 'utf8'), shares[i] ?? 0, '/v1/health'),
    ),
  )
  return connections.flat()
}

/** @returns null when it has its JIR, or what was said instead */
async function post(client: Client, { key }: Shop, machine: Machine): Promise<string | null> {
  const sale = { device_id: machine.id, total: '2.50', payment_method: 'G', occurred_at: new Date().toISOString() }
  const { statusCode, body } = await client.request({
    method: 'POST',
    path: '/v1/invoices',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify(sale),
  })
  const text = await body.text()
  if (statusCode !== 200) return `${statusCode} ${text.slice(0, 200)}`
  const { status } = JSON.parse(text) as { status: string }
  return status === 'confirmed' ? null : `200, and the sale is ${status}`
}
