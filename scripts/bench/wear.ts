import { writeFileSync } from 'node:fs'
import { runBuilt } from '../chaos/arguments.ts'
import { createChance } from '../chaos/chance.ts'
import { freePort } from '../chaos/ports.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { OIB } from '../chaos/shop.ts'
import { openBenchEnvironment } from './environment/environment.ts'
import { startStub } from './environment/stub.ts'
import { round } from './statistics.ts'
import { ASSUMED, yearsOf } from './wear/card.ts'
import { measureWear, type Wear } from './wear/measure.ts'
import { HELP, readOptions, type WearOptions } from './wear/options.ts'

const KB = 1000

/** What a sale writes, and which tables and indexes it is written for. */
async function main(options: WearOptions, scratch: Scratch): Promise<number> {
  const chance = createChance(Date.now())
  const stub = await startStub({ port: await freePort(chance), oib: OIB }, scratch)
  const found: Record<string, Wear> = {}
  for (const [name, dist] of Object.entries({ against: options.against, this: options.dist })) {
    if (dist === undefined) continue
    process.stderr.write(`${name}: ${dist} ...\n`)
    const stand = await openBenchEnvironment({ name, dist, machines: options.machines, chance, stub }, scratch)
    found[name] = await measureWear(stand, options, scratch)
    await stand.close()
  }
  for (const [name, { causes }] of Object.entries(found)) {
    process.stdout.write(`${name}: pages in the log for a sale\n`)
    console.table(causes.filter(({ pages }) => pages >= 0.01).map(({ tree, pages }) => ({ tree, pages: round(pages) })))
  }
  process.stdout.write('for a sale, KB where nothing else is said\n')
  console.table(Object.fromEntries(Object.entries(found).map(([name, wear]) => [name, rowOf(wear)])))
  const { cardBytes, erasures, amplification, salesPerDay, othersPerDay } = ASSUMED
  process.stdout.write(
    `years by the whole disk, on which nobody else should write meanwhile; assumed: a card of ${cardBytes / 1e9} GB that bears ` +
      `${erasures} erasures and writes ${amplification.small} times as much inside (long files ${amplification.long} times), ` +
      `${salesPerDay} sales and ${othersPerDay / 1e6} MB of others a day\n`,
  )
  if (options.json) writeFileSync(options.json, `${JSON.stringify(found, null, 2)}\n`)
  return (found.this?.toDisk ?? Number.NaN) <= options.mostKb * KB ? 0 : 1
}

function rowOf({ toDisk, log, causes, handed, wholeDisk, kept, lines, syncs, cpuMs }: Wear) {
  const onDisk = wholeDisk ?? toDisk
  const kb = (bytes: number | undefined) => (bytes === undefined ? '' : round(bytes / KB))
  return {
    'to the disk': kb(toDisk),
    'of it the log': kb(log),
    'pages in it': round(causes.reduce((sum, { pages }) => sum + pages, 0)),
    'checkpoints and others': kb(toDisk - log),
    'the whole disk': kb(wholeDisk),
    'handed over, network too': kb(handed),
    'waits for the disk': syncs === undefined ? 'no strace' : round(syncs),
    'database grew': kb(kept),
    'log lines': kb(lines),
    'processor, ms': round(cpuMs),
    'years of a card': round(yearsOf({ toDisk: onDisk, kept }, false)),
    'with nightly backups on it': round(yearsOf({ toDisk: onDisk, kept }, true)),
  }
}

await runBuilt(HELP, readOptions, main)
