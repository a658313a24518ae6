import { existsSync } from 'node:fs'
import { runBuilt, say, UsageError } from '../chaos/arguments.ts'
import { conclude, isBroken, lineOf, type Told } from '../chaos/report.ts'
import { distOfRun } from '../chaos/sabotage.ts'
import { folderOf, type Scratch } from '../chaos/scratch.ts'
import { obstacleToMounts } from '../machine/mounted-disk.ts'
import { badCards } from './cards/bad-cards.ts'
import { powerCuts } from './cuts.ts'
import { everyFlush } from './flush.ts'
import { type Case, HELP, type PowerOptions, readOptions } from './options.ts'

/** @returns the exit code */
async function attempt(options: PowerOptions, scratch: Scratch): Promise<number> {
  const { seed, sabotage } = options
  say(`chaos:power: ${options.cases.join(', ')}; --seed ${seed}`)
  const dist = distOfRun(options, scratch)
  const promises: Told[] = []
  const missed: Case[] = []
  for (const name of options.cases) {
    const obstacle = name === 'cards' ? obstacleToMounts() : obstacleToUserMode()
    if (obstacle !== null && options.isNamed) throw new UsageError(`--case ${name}: ${obstacle}`)
    if (obstacle !== null) {
      say(`SKIPPED ${name}: ${obstacle}`)
      continue
    }
    const { told, tell } = await RUNS[name](options, dist, folderOf(scratch, name))
    for (const line of told.flatMap(lineOf)) say(line)
    promises.push(...told)
    if (!tell.some(isBroken)) missed.push(name)
  }
  if (sabotage === null) return conclude(promises, seed, 'nothing was lost, doubled or invented')
  const isCaught = promises.length > 0 && missed.length === 0
  say(`the build with ${sabotage} was ${isCaught ? 'caught' : `NOT caught by: ${missed.join(', ')}`}`)
  return isCaught ? 0 : 1
}

/** What a case promises, and those of its promises that tell a fault of durability. */
type Run = (options: PowerOptions, dist: string, scratch: Scratch) => Promise<{ told: Told[]; tell: Told[] }>

const RUNS: Record<Case, Run> = {
  async cuts(...order) {
    const { ofRun, ofRecords } = await powerCuts(...order)
    return { told: [...ofRun, ...ofRecords], tell: ofRecords }
  },
  async flush(...order) {
    const told = await everyFlush(...order)
    return { told, tell: told }
  },
  async cards(...order) {
    const told = await badCards(...order)
    return { told, tell: told }
  },
}

/** What is missing to run User-mode Linux here; null for nothing. */
function obstacleToUserMode(): string | null {
  if (process.arch !== 'x64') return 'User-mode Linux runs on x86-64'
  if (process.getuid?.() !== 0) return 'only root may mount'
  return existsSync('/dev/net/tun') ? null : 'this kernel has no /dev/net/tun'
}

await runBuilt(HELP, readOptions, attempt)
