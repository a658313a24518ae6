import { join } from 'node:path'
import type { Authority } from '../../chaos/authority.ts'
import type { Chance } from '../../chaos/chance.ts'
import { freePort } from '../../chaos/ports.ts'
import { openPosts } from '../../chaos/posts.ts'
import { createTill, type Sale } from '../../chaos/sale.ts'
import type { Scratch } from '../../chaos/scratch.ts'
import type { Machine, Shop } from '../../chaos/shop.ts'
import { createKillableProcess, type KillableProcess } from '../machine.ts'

/** The role in PostgreSQL of a process that never knows the time. */
export const UNPROVEN = 'unproven'

/** Neither its system nor an authority tells it the time: no program is found to ask, and nothing listens at that port. */
const NO_TIME = {
  PATH: '',
  NODE_OPTIONS: `--import=${join(import.meta.dirname, 'no-time.mjs')}`,
  FISKD_CIS_TEST_URL: 'https://127.0.0.1:1/',
  FISKD_CIS_LIVE_URL: 'https://127.0.0.1:1/',
}

export interface ProcessOrder {
  name: string
  dist: string
  authority: Pick<Authority, 'facts'>
  /** Its database. */
  url: string
  knowsTime: boolean
  chance: Chance
}

/** A process of the server that stands in no balancer. */
export async function makeProcess(
  { name, dist, authority, url, knowsTime, chance }: ProcessOrder,
  scratch: Scratch,
): Promise<KillableProcess> {
  const env = { FISKD_ROLE: 'server', FISKD_DATABASE_URL: url, ...(!knowsTime && NO_TIME) }
  return createKillableProcess({ name, port: await freePort(chance), dist, authority, env }, scratch)
}

export interface RoundsOrder {
  shop: Shop
  /** They sell nothing else meanwhile. */
  machines: readonly Machine[]
  bases: { unproven: string; proven: string }
  rounds: number
  chance: Chance
}

/** Posts each sale at both processes, with one key: the one first, the other one first, and at once, in turn. */
export async function sellAtBoth({ shop, machines, bases, rounds, chance }: RoundsOrder): Promise<Sale[]> {
  const at = (base: string) => openPosts({ ...shop, target: { ...shop.target, base } as Shop['target'] }).post
  const unproven = at(bases.unproven)
  const proven = at(bases.proven)
  const sales: Sale[] = []

  async function work(machine: Machine, own: number): Promise<void> {
    const till = createTill(machine, chance.branch())
    for (let round = own; round < rounds; round += machines.length) {
      const sale = till()
      sales.push(sale)
      if (round % 3 === 2) await Promise.all([unproven(sale), proven(sale)])
      else for (const post of round % 3 === 0 ? [unproven, proven] : [proven, unproven]) await post(sale)
    }
  }

  await Promise.all(machines.map(work))
  return sales
}
