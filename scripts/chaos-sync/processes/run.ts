import { join } from 'node:path'
import { type Authority, type Received, startAuthority } from '../../chaos/authority.ts'
import { type Chance, createChance } from '../../chaos/chance.ts'
import { type Load, startLoad } from '../../chaos/load.ts'
import { freePort } from '../../chaos/ports.ts'
import { distOfRun } from '../../chaos/sabotage.ts'
import type { Scratch } from '../../chaos/scratch.ts'
import { confirmAll, list, repeatAll, type Shown } from '../../chaos/settle.ts'
import { OIB, type Shop, setUpShop } from '../../chaos/shop.ts'
import { pause, tick } from '../../chaos/wait.ts'
import { ask, type Node, openCluster } from '../cluster.ts'
import { enrolKiosk, nothingWaits } from '../kiosks.ts'
import { openLink } from '../link.ts'
import { startLink } from '../link-beside.ts'
import type { SyncChaosOptions } from '../options.ts'
import { asText, type Rows, readSqlite } from '../rows.ts'
import { copyKeys, portsOf, riseOrThrow, startServers } from '../servers.ts'
import type { Kiosk } from '../trouble.ts'
import { type KeptByServer, readServer } from './evidence.ts'
import { makeProcess, sellAtBoth, UNPROVEN } from './one-key.ts'
import { makeTrouble, type Trouble } from './trouble.ts'
import { createRole, WITNESS_SETTINGS, type Write, writesOf } from './witness.ts'

/** Everything that one run has to tell. */
export interface Outcome {
  troubles: Trouble[]
  load: Load
  /** What `/v1` lists of the server's own sales. */
  shown: Shown[]
  kept: KeptByServer
  received: Received[]
  writes: Write[]
  /** The invoices of the gateways: at all of them together, and at the server. */
  told: { gateways: Rows; server: Rows }
  /** Milliseconds from when PostgreSQL took statements again until no gateway had anything to tell; null when too late. */
  settledMs: number | null
  ownEnds: { name: string; lastWords: string }[]
  seconds: number
  /** The database, at rest. */
  node: Node
  /** For what is tried with processes on copies of it. */
  lab: { shop: Shop; keysIn: string; authority: Authority; chance: Chance }
}

const DATABASE = 'fiskd'
/** Two stand at each premises. */
const MACHINES = 16
/** They sell at two processes of which one does not know the time. */
const AT_BOTH = 4
const PACE_MS = 1200
const KIOSK_PACE_MS = 4000
/** So long a message is on its way, so that there is always one. */
const ANSWER_MS = 300
const FIRST_SALES_MS = 60_000
const FINISH_MS = 60_000
const CONFIRM_MS = 120_000
/** What is promised is a minute: how much longer it took is told. */
const SETTLE_MS = 180_000
/** While PostgreSQL is away, gateways find out, and wait longer and longer. */
const LONG_OUTAGE_MS = 20_000

export async function runServerChaos(options: SyncChaosOptions, scratch: Scratch): Promise<Outcome> {
  const startedAt = tick()
  const { seed } = options
  const processes = options.processes.processes
  const dist = distOfRun(options, scratch)
  const chance = createChance(seed)
  const authority = await startAuthority({ port: await freePort(chance), seed, oib: OIB, answerMs: ANSWER_MS }, scratch)
  const first = await openCluster(WITNESS_SETTINGS, scratch)
  await first.create(DATABASE)
  const line = await startLink([first.socket], seed, scratch)
  const addressOf = (i: number) => `postgres://${roleOf(i)}@127.0.0.1:${line.port}/${DATABASE}`
  for (let i = 0; i < processes; i++) await createRole(first, roleOf(i))
  await createRole(first, UNPROVEN)
  // The first of all: nobody has stored the time yet.
  const url = `postgres://${UNPROVEN}@127.0.0.1:${line.port}/${DATABASE}`
  const unproven = await makeProcess({ name: UNPROVEN, dist, authority, url, knowsTime: false, chance }, scratch)
  await riseOrThrow(unproven)
  copyKeys(unproven.dataDir, join(scratch.dir, roleOf(0)))
  const servers = await startServers(
    {
      processes,
      dist,
      authority,
      chance,
      envOf: (i) => ({ FISKD_DATABASE_URL: addressOf(i) }),
      nameOf: roleOf,
    },
    scratch,
  )
  const balancer = await openLink(portsOf(servers), chance.branch())
  const shop = await setUpShop({
    dataDir: servers[0].dataDir,
    base: `https://127.0.0.1:${balancer.port}`,
    devices: MACHINES + AT_BOTH,
    authority: authority.facts,
  })
  const kiosks: Kiosk[] = []
  const kioskLoads: Load[] = []
  for (let i = 0; i < options.gateways.processes; i++) {
    const order = { dist, authority, servers, chance, after: MACHINES + AT_BOTH + 2 * i }
    const { kiosk, shop: sells } = await enrolKiosk(`reporter-${i + 1}`, order, scratch)
    kiosks.push(kiosk)
    kioskLoads.push(startLoad({ shop: sells, chance: chance.branch(), paceMs: KIOSK_PACE_MS }))
  }
  const selling = { ...shop, machines: shop.machines.slice(AT_BOTH) }
  const load = startLoad({ shop: selling, chance: chance.branch(), paceMs: PACE_MS })
  if (!(await load.moreAnswers(MACHINES, FIRST_SALES_MS))) throw new Error('the machines cannot sell at all')

  const atBoth = await sellAtBoth({
    ...{ shop, machines: shop.machines.slice(0, AT_BOTH), rounds: options.rounds, chance: chance.branch() },
    bases: { unproven: unproven.base, proven: servers[0].base },
  })
  const { clock } = (await unproven.admin('GET', '/admin/status')) as { clock: { trusted: boolean } }
  if (clock.trusted) throw new Error(`${UNPROVEN} was told the time`)
  await unproven.stop()

  const { stops, freezes } = options
  const { troubles, nodes } = await makeTrouble({
    stops,
    freezes,
    servers,
    balancer,
    line,
    node: first,
    chance: chance.branch(),
  })
  const missing = options.sales - load.sales.length
  if (missing > 0) await load.moreAnswers(missing, FINISH_MS)

  // PostgreSQL is away once more, for longer. When it is back, nothing is disturbed any more.
  const node = nodes.at(-1) ?? first
  const from = tick()
  await node.crash()
  await pause(LONG_OUTAGE_MS)
  await Promise.all(kioskLoads.map((one) => one.finish(FINISH_MS)))
  const to = await node.start()
  troubles.push({ kind: 'stop', from, to })
  const settled = nothingWaits(kiosks, SETTLE_MS).then((isSettled) => (isSettled ? tick() - to : null))
  await load.moreAnswers(MACHINES, FINISH_MS)
  for (const server of servers) await server.rise()
  await load.finish(FINISH_MS)
  await confirmAll(shop, CONFIRM_MS)
  const settledMs = await settled
  load.sales.push(...atBoth)
  await repeatAll(load)
  const shown = await list(shop)
  for (const mortal of [...kiosks, ...servers]) await mortal.stop()
  const kept = node.url(DATABASE)
  const gateways = kiosks.flatMap(({ dataDir }) => [...readSqlite(join(dataDir, 'fiskd.db'), 'invoices')])
  const ofGateways = await ask(kept, `SELECT * FROM invoices WHERE gateway_id <> ''`)
  const told = { gateways: new Map(gateways), server: asText('invoices', ofGateways) }
  return {
    troubles,
    load,
    shown: shown.filter(({ id }) => !told.server.has(id)),
    kept: await readServer(kept),
    received: await authority.received(),
    writes: await writesOf(kept, nodes),
    told,
    settledMs,
    ownEnds: [...servers, ...kiosks].flatMap(({ name, ownEnds }) =>
      ownEnds.map(({ lastWords }) => ({ name, lastWords })),
    ),
    seconds: (tick() - startedAt) / 1000,
    node,
    lab: { shop, keysIn: servers[0].dataDir, authority, chance },
  }
}

/** Each process has a role of its own in PostgreSQL, and is called like it. */
const roleOf = (i: number) => `server_${i + 1}`

/** A copy of the database of a run. */
export const copyOf = (node: Node, name: string): Promise<string> => node.create(name, DATABASE)
