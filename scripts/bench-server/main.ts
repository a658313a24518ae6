import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { rowOf, verdictOf } from '../bench/figures.ts'
import { runBuilt } from '../chaos/arguments.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { HELP, readOptions, type ServerBenchOptions } from './options.ts'
import { measurePoints } from './points.ts'

/** @returns the exit code */
async function measure(options: ServerBenchOptions, scratch: Scratch): Promise<number> {
  const { rows, figures, problems } = await measurePoints(options, scratch)
  const verdicts = figures.all().map(verdictOf)
  console.table(rows)
  console.table(verdicts.map(rowOf))
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  const machine = { cores: cpus().length, model: cpus()[0]?.model, node: process.version }
  const { clients, seconds, authorityMs } = options
  const run = {
    at: new Date().toISOString(),
    machine,
    clients,
    seconds,
    authorityMs,
    rows,
    figures: verdicts,
    problems,
  }
  writeFileSync(options.json, `${JSON.stringify(run, null, 2)}\n`)
  return problems.length === 0 && verdicts.every(({ met }) => met !== false) ? 0 : 1
}

await runBuilt(HELP, readOptions, measure)
