import type { Chance } from '../chaos/chance.ts'
import { ask } from '../chaos/http.ts'
import { openPosts } from '../chaos/posts.ts'
import { createTill, type Sale } from '../chaos/sale.ts'
import type { Shop } from '../chaos/shop.ts'
import { pause } from '../chaos/wait.ts'
import type { KioskPrinter } from './printer.ts'
import type { SharedClock } from './shared-clock.ts'

/** The machines of a shop and what they sold. */
export interface Sellers {
  sales: Sale[]
  /** Sales whose receipt has to come out: there was paper. */
  withPaper: Set<Sale>
  /** Sells at one of the machines, posts until that is answered, and waits for the receipt. */
  sell(): Promise<void>
  repeat(sale: Sale): Promise<void>
}

/** Nothing real takes so long here: an answer that takes longer waits for time to pass. */
const REALLY_MS = 1000
const STEP_MS = 250

/** A printer that has paper takes longer only when it gets no processor. */
const PRINTED_MS = 30_000
const LOOK_MS = 20

/** As firmware waits before it posts the same sale again. */
const AGAIN_MS = 5000
const TIMES = 100

export function openSellers(shop: Shop, printers: KioskPrinter[], clock: SharedClock, chance: Chance): Sellers {
  const { post } = openPosts(shop)
  const tills = shop.machines.map((machine) => createTill(machine, chance.branch()))
  const sales: Sale[] = []
  const withPaper = new Set<Sale>()

  async function passUntilAnswered(answered: Promise<void>): Promise<void> {
    let over = false
    void answered.finally(() => {
      over = true
    })
    const began = clock.realTick()
    while (!over) {
      await pause(1)
      if (over || clock.realTick() - began < REALLY_MS) continue
      await clock.quiet()
      if (!over) clock.advance(STEP_MS)
    }
  }

  /** In real time: a printer has to have the time that it is given for its answers. */
  async function printed(id: string, hasPaper: () => boolean): Promise<void> {
    const giveUpAt = clock.realTick() + PRINTED_MS
    const headers = { authorization: `Bearer ${shop.key}` }
    while (hasPaper() && clock.realTick() < giveUpAt) {
      const answer = await ask(shop.target, { path: `/v1/invoices/${id}`, headers })
      const status = answer?.status === 200 ? JSON.parse(answer.text).receipt_print?.status : undefined
      if (status !== undefined && status !== 'queued' && status !== 'sending') return
      await pause(LOOK_MS)
    }
  }

  return {
    sales,
    withPaper,
    async sell() {
      const which = Math.floor(chance.next() * tills.length)
      const sale = tills[which]?.()
      if (!sale) return
      sales.push(sale)
      const hasPaper = () => printers[which]?.hasPaper() === true
      const hadPaper = hasPaper()
      for (let i = 0; i < TIMES && sale.seen.length === 0; i++) {
        if (i > 0) {
          await clock.quiet()
          clock.advance(AGAIN_MS)
        }
        await passUntilAnswered(post(sale))
      }
      await clock.quiet()
      const id = sale.seen[0]?.id
      if (id && hadPaper) await printed(id, hasPaper)
      if (hadPaper && hasPaper()) withPaper.add(sale)
    },
    repeat: post,
  }
}
