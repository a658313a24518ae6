import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'undici'
import { freePort } from '../../chaos/ports.ts'
import { OIB } from '../../chaos/shop.ts'
import { riseOrThrow } from '../../chaos-sync/servers.ts'
import type { Bench } from '../bench.ts'
import type { BenchEnvironment } from '../environment/environment.ts'
import { residentMb, threadsCpuMs } from '../environment/process-use.ts'
import { startStub } from '../environment/stub.ts'
import { median } from '../statistics.ts'

/** How long nobody buys after the start. */
const WAITS = [
  { name: 'at once', ms: 0 },
  { name: 'after 5 s', ms: 5000 },
] as const

/** Warm sales that the first one after 5 s may take. */
const MOST_TIMES = 3

/** Sales of a warm daemon, and those before them that do not count. */
const WARM = 15
const SETTLING = 10

interface Candidate {
  prefix: string
  stand: BenchEnvironment
  client: () => Client
}

/**
 * The first sale after READY, at once and when nobody has bought for 5 s, beside sales of the same life when it is warm.
 * Each sale has a connection of its own, as firmware has to connect anew to a daemon that was restarted.
 */
export async function first(bench: Bench): Promise<void> {
  const { runs, scratch, chance, builds } = bench
  // Ids as in service: those of several lives must differ. So each answer is signed when it is asked for.
  const stub = await startStub({ port: await freePort(chance), oib: OIB }, scratch)
  const candidates: Candidate[] = []
  for (const { prefix, dist } of builds) {
    const name = `first-${candidates.length}`
    const stand = await bench.stand({ name, machines: 1, dist, stub, env: { NODE_OPTIONS: '' } })
    const client = () => new Client(stand.daemon.base, { connect: { ca: stand.ca } })
    candidates.push({ prefix, stand, client })
    // A life that leaves compiled code behind, as on a machine that has sold before.
    await sell(stand, client)
    await pause(WAITS[1].ms)
  }
  for (let run = 0; run < runs; run++) {
    for (const wait of WAITS) for (const candidate of candidates) await live(bench, candidate, wait)
  }
  for (const { stand } of candidates) await stand.close()
}

async function live(
  { figures }: Bench,
  { prefix, stand, client }: Candidate,
  wait: (typeof WAITS)[number],
): Promise<void> {
  const add = (what: string, unit: string, value: number, wanted?: { most: number }) =>
    figures.add(`${prefix}${what}`, unit, value, prefix === '' ? wanted : undefined)
  await stand.daemon.stop()
  await riseOrThrow(stand.daemon)
  await pause(wait.ms)
  const pid = stand.daemon.pid() ?? 0
  if (wait.ms > 0) {
    add('resident before the first sale', 'MB', residentMb(pid).all)
    add('processor time before the first sale', 'ms', threadsCpuMs(pid))
  }
  const first = await sell(stand, client)
  for (let i = 0; i < SETTLING; i++) await sell(stand, client)
  const warm: Taken[] = []
  for (let i = 0; i < WARM; i++) warm.push(await sell(stand, client))
  const [warmMs, warmCpuMs] = [median(warm.map(({ ms }) => ms)), median(warm.map(({ cpu }) => cpu))]
  add('warm sale', 'ms', warmMs)
  add('warm sale, processor time', 'ms', warmCpuMs)
  add(`first sale ${wait.name}`, 'ms', first.ms)
  const wanted = wait.ms > 0 ? { most: MOST_TIMES } : undefined
  add(`first sale ${wait.name}, of a warm one`, 'times', first.ms / warmMs, wanted)
  add(`first sale ${wait.name}, processor time of a warm one`, 'times', first.cpu / warmCpuMs)
}

interface Taken {
  /** From the first byte of the handshake to the last one of the answer. */
  ms: number
  /** Of the daemon meanwhile, whatever it did. */
  cpu: number
}

async function sell({ post, daemon }: BenchEnvironment, connect: () => Client): Promise<Taken> {
  const client = connect()
  const pid = daemon.pid() ?? 0
  const used = threadsCpuMs(pid)
  const began = performance.now()
  const answer = JSON.parse(await post(client, 0)) as { status?: string }
  const taken = { ms: performance.now() - began, cpu: threadsCpuMs(pid) - used }
  await client.close()
  if (answer.status !== 'confirmed') throw new Error(`a sale was not confirmed: ${JSON.stringify(answer)}`)
  return taken
}
