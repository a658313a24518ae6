import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { createPki, startSimulator } from '../../src/simulator/index.ts'
import { threadsCpuMs } from '../bench/environment/process-use.ts'
import { idOf } from '../bench/environment/sequence.ts'
import { startStub } from '../bench/environment/stub.ts'
import { median, round } from '../bench/statistics.ts'
import { unitMs } from '../bench/unit.ts'
import { runBuilt, say } from '../chaos/arguments.ts'
import { createChance } from '../chaos/chance.ts'
import { freePort } from '../chaos/ports.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { OIB } from '../chaos/shop.ts'
import { writeFacts } from './facts.ts'
import { openFiskd } from './fiskd.ts'
import { judgeAll } from './judge-all.ts'
import { opensslUnitMs } from './openssl-speed.ts'
import { HELP, type PeersOptions, readOptions } from './options.ts'
import { type Peer, startPeer } from './peer.ts'
import { findWays } from './ways.ts'

const CLIENTS = 64

/** So that each of many clients sells several times in a round. */
const SALES_OF_MANY = 5

/** One contestant: sells so many and says what a sale took of its processor, milliseconds. */
interface Contestant {
  name: string
  /** Whose answers were forged: fiskd's are the same with many clients. */
  way: string
  stores: boolean
  verifies: boolean
  round(sales: number): Promise<number>
}

async function main(options: PeersOptions, scratch: Scratch): Promise<number> {
  const { dist, sales, rounds, warm } = options
  const { ways, missing } = findWays()
  for (const what of missing) say(`LEFT OUT, for this machine lacks it: ${what}`)
  const [chance, pki] = [createChance(Date.now()), await createPki()]
  const company = await pki.issueCompany({ oib: OIB })
  const simulator = await startSimulator({ pki })
  const facts = writeFacts(pki, company, scratch)
  const peers = new Map(ways.map((way) => [way.name, startPeer(way, facts, scratch)]))
  const judged = await judgeAll({ dist, chance, scratch, simulator, company, facts, peers })
  await simulator.close()

  const stub = await startStub({ port: await freePort(chance), oib: OIB, pki: pki.toJSON() }, scratch)
  await stub.sign(Math.max(sales, warm))
  const stand = await openFiskd({ dist, chance, scratch }, stub, CLIENTS)
  const fiskd = (clients: number): Contestant => ({
    name: clients === 1 ? 'fiskd' : `fiskd, ${clients} clients`,
    way: 'fiskd',
    stores: true,
    verifies: true,
    round: async (count) => (await stand.sell(clients, clients === 1 ? count : SALES_OF_MANY * count)).cpu.daemon,
  })
  const contestants: Contestant[] = [
    fiskd(1),
    fiskd(CLIENTS),
    ...ways.map(({ name, verifies }) => ({
      name,
      way: name,
      stores: false,
      verifies,
      round: (count: number) => roundOf(peers.get(name) as Peer, stub.facts.url, count),
    })),
  ]

  const found = new Map(contestants.map(({ name }) => [name, { ms: [] as number[], units: [] as number[] }]))
  const units: number[] = []
  const connections = new Map<string, number>()
  for (const { round } of contestants) await round(warm)
  for (let turn = 0; turn < rounds; turn++) {
    for (const { name, round } of turn % 2 === 0 ? contestants : contestants.toReversed()) {
      const [before, { connections: opened }] = [unitMs(), await stub.served()]
      const ms = await round(sales)
      const unit = (before + unitMs()) / 2
      units.push(unit)
      found.get(name)?.ms.push(ms)
      found.get(name)?.units.push(ms / unit)
      connections.set(name, (connections.get(name) ?? 0) + (await stub.served()).connections - opened)
    }
  }
  const rows = contestants.map(({ name, way, stores, verifies }) => {
    const { ms, units: times } = found.get(name) ?? { ms: [], units: [] }
    return {
      way: name,
      'ms a sale': round(median(ms)),
      units: round(median(times)),
      from: round(Math.min(...times)),
      to: round(Math.max(...times)),
      stores: stores ? 'yes' : 'no',
      'checks the answer': verifies ? 'yes' : 'no',
      'deceived by': (judged.deceived.get(way) ?? []).join(' ') || 'none of 6',
      'connections a round': round((connections.get(name) ?? Number.NaN) / rounds),
    }
  })
  const unit = { node: round(median(units)), openssl: opensslUnitMs() }
  say(`judged by ${judged.judges.join(', ')}; every message is accepted: ${judged.faults.length === 0 ? 'yes' : 'NO'}`)
  for (const fault of judged.faults) say(fault)
  say(
    `unit: two RSA-2048 signatures and one check, ${unit.node} ms by Node, ${unit.openssl ?? '(no openssl)'} ms by openssl speed`,
  )
  console.table(rows)
  const machine = { cores: cpus().length, model: cpus()[0]?.model, node: process.version }
  writeFileSync(
    options.json,
    `${JSON.stringify({ at: new Date().toISOString(), machine, unit, missing, faults: judged.faults, rows }, null, 2)}\n`,
  )
  return judged.faults.length === 0 ? 0 : 1
}

/** @throws Error for a sale without the JIR that was issued to it */
async function roundOf({ pid, sell }: Peer, url: string, count: number): Promise<number> {
  const sales = Array.from({ length: count }, (_, i) => ({ id: idOf(i), number: i + 1 }))
  const used = threadsCpuMs(pid)
  const jirs = await sell(url, sales)
  const took = threadsCpuMs(pid) - used
  const wrong = jirs.find((jir, i) => jir !== sales[i]?.id)
  if (wrong !== undefined || jirs.length !== count) throw new Error(`a sale has another JIR: ${JSON.stringify(wrong)}`)
  return took / count
}

await runBuilt(HELP, readOptions, main)
