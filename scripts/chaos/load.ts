import type { Chance } from './chance.ts'
import { openPosts, type PostCounts } from './posts.ts'
import { createTill, type Sale } from './sale.ts'
import type { Machine, Shop } from './shop.ts'
import { pause, tick } from './wait.ts'

export interface Load {
  /** Every sale so far, answered or not. */
  sales: Sale[]
  counts: PostCounts
  /** Resolves when that many more posts were answered with 200, or when the time is over. */
  moreAnswers(count: number, withinMs: number): Promise<boolean>
  /** Starts no further sale, and resolves when those under way are answered or the time is over. */
  finish(withinMs: number): Promise<void>
  /** Posts a sale once more, whatever came of it. */
  repeat(sale: Sale): Promise<void>
}

export interface LoadOrder {
  shop: Shop
  chance: Chance
  /** The age of some sales. */
  oldAgeMs?: number
  /** Milliseconds between two sales of a machine, at most; a hurry with a break now and then when left out. */
  paceMs?: number
  /** Refusals after which a sale is posted again later, unchanged, beside those of trouble and of a limit. */
  passing?: readonly string[]
}

/** How many of its latest sales a machine may take it into its head to post again. */
const REMEMBERED = 20

/** Machines that sell one after another, and post the very same bytes again until they are told what became of them. */
export function startLoad({ shop, chance, oldAgeMs, passing = [], paceMs }: LoadOrder): Load {
  const sales: Sale[] = []
  const { counts, post } = openPosts(shop)
  let giveUpAt = Number.POSITIVE_INFINITY
  let finishing = false

  const passes = (refusal: string) => /^(5|429)/.test(refusal) || passing.includes(refusal)

  async function sell(sale: Sale, luck: Chance): Promise<void> {
    sales.push(sale)
    while (sale.seen.length === 0 && tick() < giveUpAt) {
      // A machine that fears its first post was lost.
      if (luck.happens(0.05)) await Promise.all([post(sale), post(sale)])
      else await post(sale)
      const refusal = sale.refusals.at(-1)
      if (sale.seen.length === 0 && refusal !== undefined && !passes(refusal)) return
      if (sale.seen.length === 0) await pause(luck.between(50, 400))
    }
  }

  async function work(machine: Machine, luck: Chance): Promise<void> {
    const till = createTill(machine, luck, oldAgeMs)
    const latest: [Sale, ...Sale[]] = [till()]
    while (!finishing) {
      const sale = till()
      await sell(sale, luck)
      latest.unshift(sale)
      latest.splice(REMEMBERED)
      const old = luck.pick(latest)
      if (luck.happens(0.05) && old.seen.length > 0) await post(old)
      await pause(breakOf(luck))
    }
  }

  function breakOf(luck: Chance): number {
    if (paceMs !== undefined) return luck.between(0, paceMs)
    return luck.happens(0.7) ? luck.between(0, 40) : luck.between(40, 400)
  }

  const working = shop.machines.map((machine) => work(machine, chance.branch()))
  return {
    sales,
    counts,
    async moreAnswers(count, withinMs) {
      const [wanted, until] = [counts.answered + count, tick() + withinMs]
      while (counts.answered < wanted && tick() < until) await pause(5)
      return counts.answered >= wanted
    },
    async finish(withinMs) {
      finishing = true
      giveUpAt = tick() + withinMs
      await Promise.all(working)
    },
    repeat: post,
  }
}
