import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { sayCheck } from '../../src/domain/check.ts'
import type { Diagnosis } from '../../src/fiscal/doctor/doctor.ts'
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

/** A central server on a database of its own, with a shop. */
export interface ServerStand {
  name: string
  database: string
  servers: readonly [KillableProcess, ...KillableProcess[]]
  shop: Shop
  /** So many of the processes run, the others do not. */
  run(processes: number): Promise<void>
}

const SEED = 22

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

/** @param name of its database, too. @param premises two machines stand at each */
export async function openStand(
  { name, dist, processes, premises }: { name: string; dist: string; processes: number; premises: number },
  { postgres, stub, chance, throughLine, line }: Ground,
  scratch: Scratch,
): Promise<ServerStand> {
  if (!existsSync(join(dist, 'daemon/main.js'))) throw new Error(`${dist}: no built daemon is there`)
  await postgres.create(name)
  await line.delay(0)
  const env = { FISKD_DATABASE_URL: throughLine(name) }
  const servers = await startServers(
    { processes, dist, authority: stub, env, chance, nameOf: (i) => `${name}-${i + 1}` },
    scratch,
  )
  const [{ dataDir, base }] = servers
  const shop = await setUpShop({ dataDir, base, devices: 2 * premises, authority: stub.facts })
  return {
    name,
    database: name,
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

/** What the doctor of a running process finds wrong with journals and numbers. */
export async function journalProblems(server: KillableProcess): Promise<string[]> {
  const { checks } = (await server.admin('GET', '/admin/doctor')) as unknown as Diagnosis
  const looked = checks
    .map((check) => sayCheck(check, 'en'))
    .filter(({ name }) => name === 'journal' || name === 'numbers')
  if (looked.length < 2) throw new Error('the doctor has looked at no journal')
  return looked.filter(({ status }) => status !== 'ok').map(({ name, detail }) => `${name}: ${detail}`)
}
