import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { familyCpuMs } from '../bench/environment/process-use.ts'
import { type Stub, startStub } from '../bench/environment/stub.ts'
import { median } from '../bench/statistics.ts'
import { type Chance, createChance } from '../chaos/chance.ts'
import { freePort } from '../chaos/ports.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { OIB, type Shop, setUpShop } from '../chaos/shop.ts'
import { type Node, openCluster } from '../chaos-sync/cluster.ts'
import { type LinkBeside, startLink } from '../chaos-sync/link-beside.ts'
import type { KillableProcess } from '../chaos-sync/machine.ts'
import { riseOrThrow, startServers } from '../chaos-sync/servers.ts'

/** What all points of a run share. */
export interface Ground {
  postgres: Node
  /** The proxy between everybody and PostgreSQL. */
  line: LinkBeside
  stub: Stub
  chance: Chance
  /** The address of a database through the proxy. */
  throughLine(database: string): string
  /** Processor time of all of PostgreSQL so far, milliseconds. */
  postgresCpuMs(): number
}

/** A central server with a shop. */
export interface ServerStand {
  /** The address of its database, not through the proxy. */
  database: string
  servers: readonly [KillableProcess, ...KillableProcess[]]
  shop: Shop
  /** So many of the processes run, the others do not. */
  run(processes: number): Promise<void>
}

const SEED = 22
const DATABASE = 'fiskd'

export async function openGround(authorityMs: number, scratch: Scratch): Promise<Ground> {
  const chance = createChance(SEED)
  const postgres = await openCluster({}, scratch)
  const stub = await startStub({ port: await freePort(chance), oib: OIB, answerMs: authorityMs }, scratch)
  const line = await startLink([postgres.socket], SEED, scratch)
  const postmaster = Number(
    readFileSync(join(dirname(postgres.socket), 'data', 'postmaster.pid'), 'utf8').split('\n')[0],
  )
  return {
    postgres,
    line,
    stub,
    chance,
    throughLine: (database) => `postgres://fiskd@127.0.0.1:${line.port}/${database}`,
    postgresCpuMs: () => familyCpuMs(postmaster),
  }
}

/** @param premises two machines stand at each */
export async function openStand(
  { dist, processes, premises }: { dist: string; processes: number; premises: number },
  { postgres, stub, chance, throughLine, line }: Ground,
  scratch: Scratch,
): Promise<ServerStand> {
  const database = await postgres.create(DATABASE)
  await line.delay(0)
  const envOf = () => ({ FISKD_DATABASE_URL: throughLine(DATABASE) })
  const servers = await startServers({ processes, dist, authority: stub, envOf, chance }, scratch)
  const [{ dataDir, base }] = servers
  const shop = await setUpShop({ dataDir, base, devices: 2 * premises, authority: stub.facts })
  return {
    database,
    servers,
    shop,
    async run(wanted) {
      for (const [i, server] of servers.entries()) {
        if (i < wanted) await riseOrThrow(server)
        else await server.stop()
      }
    },
  }
}

const LOOKS = 200

/** The median of what PostgreSQL needs for an empty statement, from question to answer, milliseconds. */
export async function roundTripMs(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const times: number[] = []
    for (let i = 0; i < LOOKS; i++) {
      const asked = performance.now()
      await client.query({ name: 'nothing', text: 'SELECT 1' })
      times.push(performance.now() - asked)
    }
    return median(times)
  } finally {
    await client.end()
  }
}
