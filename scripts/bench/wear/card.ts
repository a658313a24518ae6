/** What a card is taken to bear, and what a day on it is. None of it is measured. */
export const ASSUMED = {
  cardBytes: 16e9,
  /** How often each of its cells can be erased: cheap cards name 500 to 3000, or nothing. */
  erasures: 1000,
  /** How much a card writes inside for each byte of small writes that are waited for, and of long files. */
  amplification: { small: 8, long: 2 },
  salesPerDay: 500,
  /** Everything else that an idle Debian writes, with its journal. */
  othersPerDay: 50e6,
  /** The nightly backup writes the whole database into the data directory, and from there to where it is kept. */
  copiesPerNight: 2,
}

const DAYS = 365

export interface PerSale {
  /** Bytes that reach the disk. */
  toDisk: number
  /** Bytes by which the database grows. */
  kept: number
}

/**
 * Years until every cell of the card has been erased as often as it bears.
 * @param copies whether the nightly copies of the growing database are written to the same card
 */
export function yearsOf({ toDisk, kept }: PerSale, copies: boolean): number {
  const { cardBytes, erasures, amplification, salesPerDay, othersPerDay, copiesPerNight } = ASSUMED
  const bears = cardBytes * erasures
  const perDay = (salesPerDay * toDisk + othersPerDay) * amplification.small
  if (!copies) return bears / perDay / DAYS
  // Each night's copies are so much longer than those of the night before.
  const longer = copiesPerNight * salesPerDay * kept * amplification.long
  return (Math.sqrt(perDay ** 2 + 2 * longer * bears) - perDay) / longer / DAYS
}
