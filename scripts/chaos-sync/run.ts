import { join } from 'node:path'
import { startAuthority } from '../chaos/authority.ts'
import { createChance } from '../chaos/chance.ts'
import { type Load, startLoad } from '../chaos/load.ts'
import { freePort } from '../chaos/ports.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { confirmAll } from '../chaos/settle.ts'
import { OIB, type Shop } from '../chaos/shop.ts'
import { tick } from '../chaos/wait.ts'
import { openCentral } from './central.ts'
import { enrolKiosk, nothingWaits } from './kiosks.ts'
import type { SyncChaosOptions } from './options.ts'
import { type Rows, readSqlite, TABLE_NAMES, type Table } from './rows.ts'
import { startServers } from './servers.ts'
import { type Kiosk, makeTrouble, type Troubles } from './trouble.ts'

/** Everything that one run has to tell. */
export interface Outcome {
  troubles: Troubles
  loads: Load[]
  /** Rows of each table: of all gateways together, and what the server says. */
  tables: Record<Table, { gateways: Rows; server: Rows }>
  /** What gateways say was refused. */
  refused: string[]
  /** Milliseconds from the end of the trouble until nothing waited any more; null when that did not come in time. */
  settledMs: number | null
  ownEnds: { name: string; lastWords: string }[]
  seconds: number
}

const PACE_MS = 1500
const FINISH_MS = 60_000
const SETTLE_MS = 240_000

export async function runSyncChaos(options: SyncChaosOptions, scratch: Scratch): Promise<Outcome> {
  const startedAt = tick()
  const chance = createChance(options.seed)
  const authorityPort = await freePort(chance)
  const authority = await startAuthority({ port: authorityPort, seed: options.seed, oib: OIB }, scratch)
  const central = await openCentral(options.store, scratch)
  const { dist } = options
  const processes = options.processes.gateways
  const servers = await startServers({ processes, dist, authority, envOf: () => central.env, chance }, scratch)
  const kiosks: Kiosk[] = []
  const shops: Shop[] = []
  for (let i = 0; i < options.gateways.gateways; i++) {
    const order = { dist, authority, servers, chance, after: 2 * i }
    const { kiosk, shop } = await enrolKiosk(`gateway-${i + 1}`, order, scratch)
    kiosks.push(kiosk)
    shops.push(shop)
  }
  const loads = shops.map((shop) => startLoad({ shop, chance: chance.branch(), paceMs: PACE_MS }))
  await authority.wild()
  const [first, ...others] = kiosks
  if (!first) throw new Error('there is no gateway')
  const troubles = await makeTrouble({
    seconds: options.seconds,
    servers,
    authority,
    kiosks: [first, ...others],
    chance: chance.branch(),
  })

  // From here on nothing is disturbed: what can be told, must be.
  await authority.calm()
  for (const mortal of [...servers, ...kiosks]) await mortal.rise()
  const calmAt = tick()
  await Promise.all(loads.map((load) => load.finish(FINISH_MS)))
  for (const shop of shops) await confirmAll(shop, FINISH_MS)
  const settled = await nothingWaits(kiosks, SETTLE_MS)
  const settledMs = settled ? tick() - calmAt : null
  const refused = await refusalsOf(kiosks)
  for (const mortal of [...kiosks, ...servers]) await mortal.stop()
  const tables = {} as Outcome['tables']
  for (const table of TABLE_NAMES) {
    const gateways = kiosks.flatMap(({ dataDir }) => [...readSqlite(join(dataDir, 'fiskd.db'), table)])
    tables[table] = { gateways: new Map(gateways), server: await central.rows(table, servers[0].dataDir) }
  }
  const ownEnds = [...servers, ...kiosks].flatMap(({ name, ownEnds }) =>
    ownEnds.map(({ lastWords }) => ({ name, lastWords })),
  )
  const seconds = (tick() - startedAt) / 1000
  return { troubles, loads, tables, refused, settledMs, ownEnds, seconds }
}

async function refusalsOf(kiosks: readonly Kiosk[]): Promise<string[]> {
  const refused: string[] = []
  for (const kiosk of kiosks) {
    const state = (await kiosk.admin('GET', '/admin/sync')) as {
      refusals?: { kind: string; id: string; code: string }[]
    }
    for (const { kind, id, code } of state.refusals ?? []) refused.push(`${kiosk.name}: ${kind} ${id}: ${code}`)
  }
  return refused
}
