import { type Journal, journalKey, sequenceKey } from '../ports/model.ts'
import type { IssuedRecord, IssuedSale } from './issued-record.ts'

/** So many of the latest sales of a premises are known one by one. */
const LATEST = 50

interface OfPremises {
  /** By their positions. */
  sales: IssuedSale[]
  /** The sale with the highest number of each sequence. */
  highest: Map<string, IssuedSale>
}

/** The latest issued sales of each premises, in memory. */
export class LatestIssued implements Pick<IssuedRecord, 'end' | 'ends' | 'of'> {
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

  forget(journal: Journal): void {
    this.#premises.delete(journalKey(journal))
  }

  end(journal: Journal): IssuedSale | undefined {
    return this.#premises.get(journalKey(journal))?.sales.at(-1)
  }

  ends(): IssuedSale[] {
    return [...this.#premises.values()].flatMap(({ sales }) => sales.slice(-1))
  }

  of(journal: Journal): readonly IssuedSale[] {
    const { sales, highest } = this.#premises.get(journalKey(journal)) ?? { sales: [], highest: new Map() }
    const first = sales[0]?.position ?? 0
    const older = [...highest.values()].filter(({ position }) => position < first)
    return [...older.toSorted((a, b) => a.position - b.position), ...sales]
  }

  all(): IssuedSale[] {
    return this.ends().flatMap((end) => this.of(end))
  }
}
