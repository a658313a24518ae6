import { journalKey, sequenceKey } from '../ports/model.ts'
import type { IssuedSale } from '../ports/rows/issued.ts'

/** So many of the latest sales of a premises are known one by one. */
const LATEST = 50

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
    if (sales.length > LATEST) sales.shift()
    const sequence = sequenceKey(sale)
    const most = highest.get(sequence)
    if (!most || BigInt(most.number) <= BigInt(sale.number)) highest.set(sequence, sale)
  }

  knows(journal: Parameters<typeof journalKey>[0]): boolean {
    return this.#premises.has(journalKey(journal))
  }

  all(): IssuedSale[] {
    return [...this.#premises.values()].flatMap(({ sales, highest }) => {
      const first = sales[0]?.position ?? 0
      return [...[...highest.values()].filter(({ position }) => position < first), ...sales]
    })
  }
}
