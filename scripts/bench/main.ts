import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { runScript } from '../chaos/arguments.ts'
import { createChance } from '../chaos/chance.ts'
import { freePort } from '../chaos/ports.ts'
import { openScratch } from '../chaos/scratch.ts'
import { OIB } from '../chaos/shop.ts'
import { createBench, type Section } from './bench.ts'
import { startStub } from './environment/stub.ts'
import { createFigures, rowOf, type Verdict, verdictOf } from './figures.ts'
import { HELP, readOptions, type SectionName } from './options.ts'
import { first } from './sections/first.ts'
import { latency } from './sections/latency.ts'
import { memory } from './sections/memory.ts'
import { pages } from './sections/pages.ts'
import { receipts } from './sections/receipts.ts'
import { start } from './sections/start.ts'
import { wear } from './sections/wear.ts'
import { work } from './sections/work.ts'

const RUNS: Record<SectionName, Section> = { latency, work, first, start, memory, wear, pages, receipts }

/** Everything in one run on one machine, beside what this machine can do at all. */
async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2))
  if (!options) {
    process.stdout.write(HELP)
    return 0
  }
  const scratch = openScratch(false)
  const chance = createChance(Date.now())
  const stub = await startStub({ port: await freePort(chance), oib: OIB }, scratch)
  const sections: { name: SectionName; verdicts: Verdict[] }[] = []
  for (const name of options.only) {
    process.stderr.write(`${name} ...\n`)
    const figures = createFigures()
    await RUNS[name](createBench({ ...options, figures, scratch, chance, stub }))
    const { live } = await stub.served()
    if (live > 0) throw new Error(`${live} answers had to be signed while somebody waited: these figures are not right`)
    const verdicts = figures.all().map(verdictOf)
    sections.push({ name, verdicts })
    process.stdout.write(`${name}\n`)
    console.table(verdicts.map(rowOf))
  }
  const conditions = sections.flatMap(({ verdicts }) => verdicts.filter(({ met }) => met !== undefined))
  if (conditions.length > 0) process.stdout.write('wanted\n')
  if (conditions.length > 0) console.table(conditions.map(rowOf))
  const machine = { cores: cpus().length, model: cpus()[0]?.model, node: process.version }
  const { short, runs } = options
  writeFileSync(
    options.json,
    `${JSON.stringify({ at: new Date().toISOString(), machine, short, runs, sections }, null, 2)}\n`,
  )
  scratch.close()
  return conditions.every(({ met }) => met) ? 0 : 1
}

await runScript(HELP, main)
