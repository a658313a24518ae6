import { randomUUID } from 'node:crypto'
import type { Chance } from './chance.ts'
import type { Machine } from './shop.ts'

/** A 200 as the machine saw it. */
export interface Seen {
  id: string
  number: string
  zki: string
  status: string
  jir: string | null
  /** The whole body: every answer to one key must have the same bytes. */
  text: string
  /** By `tick`. */
  at: number
}

/** One sale of a machine and all that the machine was told about it. */
export interface Sale {
  machine: Machine
  key: string
  body: string
  /** No other sale of the machine has it: by this a sale that is stored twice shows. */
  occurredAt: string
  total: string
  seen: Seen[]
  /** Codes of answers that were no 200, such as `500 internal_error`. */
  refusals: string[]
}

/** How far before now a sale happened, usually. */
const USUAL_AGE_MS = 1500

/**
 * Makes the sales of one machine, each of another moment.
 * @param oldAgeMs the age of some sales
 */
export function createTill(machine: Machine, chance: Chance, oldAgeMs?: number): () => Sale {
  const used = new Set<number>()
  return () => {
    const age = oldAgeMs !== undefined && chance.happens(0.1) ? oldAgeMs : USUAL_AGE_MS
    let moment = Date.now() - age
    while (used.has(moment)) moment--
    used.add(moment)
    const occurredAt = new Date(moment).toISOString()
    const total = chance.between(0.5, 30).toFixed(2)
    const sale = { device_id: machine.id, occurred_at: occurredAt, total, payment_method: chance.pick(['G', 'K', 'O']) }
    return { machine, key: randomUUID(), body: JSON.stringify(sale), occurredAt, total, seen: [], refusals: [] }
  }
}
