import { journalKey, sequenceKey } from '../ports/model.ts'
import type { IssuedSale } from '../ports/rows/issued.ts'

/** So many of the latest sales of a premises are known one by one; of many premises fewer each. */
const LATEST = 50
/** About 3.5 MB of lines: with more premises than this, one sale of each and the highest of each sequence. */
const LATEST_OF_ALL = 10_000

interface OfPremises {
  /** By their positions. */
  sales: IssuedSale[]
  /** The sale with the highest number of each sequence. */
  highest: Map<string, IssuedSale>
}

/** The latest issued sales of each premises, in memory. */
export class LatestIssued {
  readonly #premises = new Map<string, OfPremises>()

  /** A sale at a position that is known takes the place of that one. */
  add(sale: IssuedSale): void {
    const key = journalKey(sale)
    const { sales, highest } = this.#premises.get(key) ?? { sales: [], highest: new Map() }
    this.#premises.set(key, { sales, highest })
    const before = sales.findLastIndex(({ position }) => position <= sale.position)
    const isKnown = sales[before]?.position === sale.position
    sales.splice(isKnown ? before : before + 1, isKnown ? 1 : 0, sale)
    if (sales.length > this.#most()) sales.splice(0, sales.length - this.#most())
    const sequence = sequenceKey(sale)
    const most = highest.get(sequence)
    if (!most || BigInt(most.number) <= BigInt(sale.number)) highest.set(sequence, sale)
  }

  /** Sales per premises. */
  #most(): number {
    return Math.max(1, Math.min(LATEST, Math.floor(LATEST_OF_ALL / this.#premises.size)))
  }

  knows(journal: Parameters<typeof journalKey>[0]): boolean {
    return this.#premises.has(journalKey(journal))
  }

  all(): IssuedSale[] {
    return [...this.#premises.values()].flatMap(({ sales: known, highest }) => {
      const sales = known.slice(-this.#most())
      const first = sales[0]?.position ?? 0
      return [...[...highest.values()].filter(({ position }) => position < first), ...sales]
    })
  }
}
