import { join } from 'node:path'
import { say } from '../../chaos/arguments.ts'
import type { Received } from '../../chaos/authority.ts'
import { type Load, startLoad } from '../../chaos/load.ts'
import type { Scratch } from '../../chaos/scratch.ts'
import { confirmAll, list, type Shown } from '../../chaos/settle.ts'
import { pause, tick } from '../../chaos/wait.ts'
import { ask } from '../cluster.ts'
import { nothingWaits } from '../kiosks.ts'
import type { SyncChaosOptions } from '../options.ts'
import { type KeptByServer, readServer } from '../processes/evidence.ts'
import { asText, type Rows, readSqlite } from '../rows.ts'
import type { Fault } from './faults.ts'
import { openStand, type Stand } from './stand.ts'
import { startWatch, type Watch } from './watch.ts'

/** What was seen while a fault lasted, and until all sold again; times by `tick`. */
export interface Case extends Pick<Watch, 'writes' | 'said'> {
  fault: Fault
  from: number
  to: number
  load: Load
  /** Invoices of the gateway that the server lacked a minute after the machines had stopped. */
  missing: string[]
  /** Why it was not seen to its end. */
  failure: string | null
}

/** Everything that a run has to tell. */
export interface Outcome {
  cases: Case[]
  kept: KeptByServer
  shown: Shown[]
  received: Received[]
  /** The invoices of the gateway: there, and at the server. */
  told: { gateways: Rows; server: Rows }
  ownEnds: { name: string; lastWords: string }[]
}

const [PACE_MS, GATEWAY_PACE_MS] = [900, 2000]
/** Before and after a fault. */
const CALM_MS = 5000
const [BACK_MS, FINISH_MS, SETTLE_MS, CONFIRM_MS] = [60_000, 30_000, 60_000, 120_000]

export async function runHa(options: SyncChaosOptions, scratch: Scratch): Promise<Outcome> {
  const stand = await openStand(options, scratch)
  const { patroni, servers, shop, kiosk, authority } = stand
  const cases: Case[] = []
  for (const fault of options.faults) {
    say(`  ${fault.name}`)
    cases.push(await suffer(fault, stand))
  }
  await patroni.heal(true)
  await confirmAll(shop, CONFIRM_MS)
  const shown = await list(shop)
  for (const mortal of [kiosk, ...servers]) await mortal.stop()
  const told = await reported(stand)
  return {
    ...{ cases, told, shown: shown.filter(({ id }) => !told.server.has(id)) },
    kept: await readServer(patroni.url('haproxy', 'fiskd')),
    received: await authority.received(),
    ownEnds: [kiosk, ...servers].flatMap(({ name, ownEnds }) => ownEnds.map(({ lastWords }) => ({ name, lastWords }))),
  }
}

async function reported({ patroni, kiosk }: Stand): Promise<Outcome['told']> {
  const rows = await ask(patroni.url('haproxy', 'fiskd'), `SELECT * FROM invoices WHERE gateway_id <> ''`)
  return { gateways: readSqlite(join(kiosk.dataDir, 'fiskd.db'), 'invoices'), server: asText('invoices', rows) }
}

async function suffer(fault: Fault, stand: Stand): Promise<Case> {
  const { patroni, servers, shop, kiosk, kioskShop, chance } = stand
  let failure = await failureOf(async () => {
    await patroni.heal(fault.isAsynchronous !== true)
    await stand.lead(fault.way ?? 'haproxy')
  })
  const load = startLoad({ shop, chance: chance.branch(), paceMs: PACE_MS })
  const atGateway = startLoad({ shop: kioskShop, chance: chance.branch(), paceMs: GATEWAY_PACE_MS })
  const watch = startWatch(patroni.url('haproxy', 'beside'), servers, shop)
  await pause(CALM_MS)
  const from = tick()
  failure ??= await failureOf(async () => {
    await fault.happen(await patroni.primary(), patroni)
    await pause(CALM_MS)
    if (!(await load.moreAnswers(shop.machines.length, BACK_MS))) throw new Error('the machines do not sell any more')
    await pause(CALM_MS)
  })
  const to = tick()
  await Promise.all([load.finish(FINISH_MS), atGateway.finish(FINISH_MS), watch.stop()])
  await nothingWaits([kiosk], SETTLE_MS)
  const { gateways, server } = await reported(stand)
  const missing = [...gateways.keys()].filter((id) => !server.has(id))
  return { ...{ fault, from, to, load, missing, failure }, writes: watch.writes, said: watch.said }
}

const failureOf = (work: () => Promise<void>) => work().then(() => null, String)
