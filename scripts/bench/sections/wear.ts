import type { Bench } from '../bench.ts'
import { unitMs } from '../unit.ts'
import { ASSUMED, yearsOf } from '../wear/card.ts'
import { measureWear } from '../wear/measure.ts'

const KB = 1000

/** KB that a sale may write to the disk. */
const MOST_KB = 100

/** Sales before what is measured, so that the indexes are as wide as those of a shop. */
const BEFORE = { long: 3000, short: 300 }
const SALES = { long: 500, short: 200 }

/** Trees in which less of a page is written for a sale are not told. */
const LEAST_PAGES = 0.01

/**
 * What a sale writes: bytes and waits for the disk, the tables and indexes that they belong to, and how long a card lives.
 * It counts on the file system of TMPDIR, where nobody else should write meanwhile.
 */
export async function wear(bench: Bench): Promise<void> {
  const { figures, much, scratch, builds } = bench
  for (const [i, { dist, prefix }] of builds.entries()) {
    const stand = await bench.stand({ name: `wear-${i}`, dist, machines: 1 })
    const order = { sales: much(SALES.long, SALES.short), before: much(BEFORE.long, BEFORE.short) }
    const { toDisk, log, causes, handed, wholeDisk, kept, lines, syncs, cpuMs } = await measureWear(
      stand,
      order,
      scratch,
    )
    const add = (what: string, unit: string, value: number | undefined, wanted?: { most: number }) =>
      value !== undefined && figures.add(`${prefix}${what}`, unit, value, prefix === '' ? wanted : undefined)
    add('to the disk per sale', 'KB', toDisk / KB, { most: MOST_KB })
    add('of it the log', 'KB', log / KB)
    add('checkpoints and others', 'KB', (toDisk - log) / KB)
    add('the whole disk per sale', 'KB', wholeDisk === undefined ? undefined : wholeDisk / KB)
    add('handed over per sale, network too', 'KB', handed / KB)
    add('waits for the disk per sale', '', syncs)
    add('database grew per sale', 'KB', kept / KB)
    add('log lines per sale', 'KB', lines / KB)
    add('processor time / 2 signatures and 1 check', '×', cpuMs / unitMs())
    for (const { tree, pages } of causes) if (pages >= LEAST_PAGES) add(`pages in the log, ${tree}`, '', pages)
    const onDisk = { toDisk: wholeDisk ?? toDisk, kept }
    const card = `a card of ${ASSUMED.cardBytes / 1e9} GB, ${ASSUMED.salesPerDay} sales a day`
    add(card, 'years', yearsOf(onDisk, false))
    add(`${card}, nightly backups on it`, 'years', yearsOf(onDisk, true))
    await stand.close()
  }
}
