import { say } from '../chaos/arguments.ts'
import { createChance } from '../chaos/chance.ts'
import { groupBy } from '../chaos/compare.ts'
import { readDatabase } from '../chaos/database.ts'
import { type Evidence, judge } from '../chaos/judge.ts'
import { type Load, startLoad } from '../chaos/load.ts'
import { figure, type Told } from '../chaos/report.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { confirmAll, list, repeatAll } from '../chaos/settle.ts'
import { tick } from '../chaos/wait.ts'
import { type Cut, cutAgainAndAgain } from './cutter.ts'
import { judgeData } from './judge-card.ts'
import { openKiosk } from './kiosk.ts'
import type { PowerOptions } from './options.ts'

/** Everything that one run has to tell. */
interface Outcome {
  cuts: Cut[]
  load: Load
  evidence: Evidence
  /** What the doctor's own reading of the card finds wrong, and answers that are not on it. */
  problems: string[]
  seconds: number
}

/** Of the nodes of f2fs only the block of 4 KB is ever whole: it has no checksums for them, and is for cards that keep blocks. */
const SECTORS = { ext4: 512, f2fs: 4096 } as const

/** For what is under way, and for the backlog, when the current stays on. */
const FINISH_MS = 300_000
const CONFIRM_MS = 600_000

async function runCuts(options: PowerOptions, dist: string, scratch: Scratch): Promise<Outcome> {
  const startedAt = tick()
  const chance = createChance(options.seed)
  const { fs, mount, devices, seed } = options
  const kiosk = await openKiosk({ fs, mount, devices, seed, dist, record: false }, chance, scratch)
  const load = startLoad({ shop: kiosk.shop, chance: chance.branch() })
  await kiosk.authority.wild()
  const cuts = await cutAgainAndAgain({
    kiosk,
    load,
    chance: chance.branch(),
    cuts: options.cuts,
    at: options.at,
    sector: SECTORS[fs],
    giveUpAt: startedAt + options.minutesMax * 60_000,
    tell: tellerOf(load, startedAt),
  })

  // From here on nothing is disturbed: what can be confirmed, must be.
  await kiosk.authority.calm()
  await kiosk.switchOn()
  await kiosk.ready()
  await load.finish(FINISH_MS)
  await confirmAll(kiosk.shop, CONFIRM_MS)
  await repeatAll(load)
  const shown = await list(kiosk.shop)
  const dataDir = await kiosk.deliver()
  const told = load.sales.flatMap((sale) => sale.seen.map((seen) => ({ sale, seen })))
  const problems = await judgeData(dataDir, told)
  const received = await kiosk.authority.received()
  const evidence = { sales: load.sales, shown, kept: readDatabase(dataDir), received, paper: kiosk.paper.zkis() }
  return { cuts, load, evidence, problems, seconds: (tick() - startedAt) / 1000 }
}

/** Switches a machine off again and again. Only what is wrong with its records tells a fault of durability. */
export async function powerCuts(options: PowerOptions, dist: string, scratch: Scratch) {
  const { cuts: wanted, fs, mount, minutesMax } = options
  say(`cuts: ${wanted}, ${fs}${mount && ` with ${mount}`}`)
  const { cuts, load, evidence, problems, seconds } = await runCuts(options, dist, scratch)
  say(`\nin ${seconds.toFixed(0)} s`)
  for (const [at, of] of groupBy(cuts, (cut) => cut.at)) {
    say(figure(of.length, `cuts ${at}, ${of.filter(({ lost }) => lost > 0).length} of them lost or tore writes`))
  }
  say(figure(load.counts.posts, `posts, ${load.counts.unanswered} of them cut off`))
  const ofRun: Told[] = [
    {
      looked: cuts.length,
      promise: `power cuts, of ${wanted} that were wanted`,
      problems: cuts.length < wanted ? [`the time was over after ${minutesMax} minutes`] : [],
    },
    {
      looked: load.counts.posts,
      promise: 'posts, none of them refused',
      problems: [...new Set(load.sales.flatMap((sale) => sale.refusals))],
    },
  ]
  const ofRecords: Told[] = [
    ...judge(evidence),
    {
      looked: load.counts.answered,
      promise: 'answers are on the card, in journals that are sealed and numbered as the doctor wants them',
      problems,
    },
  ]
  return { ofRun, ofRecords }
}

function tellerOf(load: Load, startedAt: number): (cut: Cut) => void {
  let count = 0
  return ({ at, loss, of, lost, readyMs }) => {
    const cache = `${loss.keep}${loss.torn ? ', torn' : ''}: ${lost} of ${of} writes`
    const ready = readyMs === null ? '' : `, ready in ${(readyMs / 1000).toFixed(0)} s`
    const seconds = ((tick() - startedAt) / 1000).toFixed(0)
    say(`${seconds} s: cut ${++count} (${at}), cache lost ${cache}${ready}, ${load.counts.answered} answers so far`)
  }
}
