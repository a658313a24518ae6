import { randomUUID } from 'node:crypto'
import { ask, JSON_TYPE, type Question } from '../chaos/http.ts'
import type { Shop } from '../chaos/shop.ts'
import { pause } from '../chaos/wait.ts'

/** A sale as the machine saw it. */
interface Sold {
  tookMs: number
  /** Why it was no 200; null when it was. */
  refusal: string | null
}

/** Honest machines that sell one after another. */
export interface Sales {
  /** Those that were answered since it was asked last. */
  take(): Sold[]
  finish(): Promise<void>
}

const PAUSE_MS = 150

/** A sale of now at one of the machines of a shop. */
export function saleAt({ machines, key }: Shop, machine = 0): Question {
  const deviceId = machines[machine % machines.length]?.id
  const body = { device_id: deviceId, occurred_at: new Date().toISOString(), total: '2.50', payment_method: 'G' }
  const headers = { ...JSON_TYPE, authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() }
  return { method: 'POST', path: '/v1/invoices', headers, body: JSON.stringify(body) }
}

export function startSales(shop: Shop): Sales {
  let sold: Sold[] = []
  let goesOn = true

  async function work(machine: number): Promise<void> {
    while (goesOn) {
      const startedAt = performance.now()
      const answer = await ask(shop.target, saleAt(shop, machine))
      const refusal = answer?.status === 200 ? null : (answer?.text.slice(0, 300) ?? 'no answer')
      sold.push({ tookMs: performance.now() - startedAt, refusal })
      await pause(PAUSE_MS)
    }
  }

  const working = shop.machines.map((_, machine) => work(machine))
  return {
    take() {
      const taken = sold
      sold = []
      return taken
    },
    async finish() {
      goesOn = false
      await Promise.all(working)
    },
  }
}
