import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { say } from '../chaos/arguments.ts'
import { type Chance, createChance } from '../chaos/chance.ts'
import { type Load, startLoad } from '../chaos/load.ts'
import { figure, type Told } from '../chaos/report.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { tick } from '../chaos/wait.ts'
import type { Loss } from '../machine/power-loss.ts'
import { openReplay, type Replay } from '../machine/replay.ts'
import { judgeCard, type ToldAnswer } from './judge-card.ts'
import { openKiosk } from './kiosk.ts'
import type { PowerOptions } from './options.ts'

/** A state that the card may have been in when the current went, and what is wrong with it. */
interface State {
  mark: number
  /** Null for the card exactly as it was at the mark. */
  loss: (Loss & { lost: number; of: number }) | null
  problems: string[]
}

const SELL_MS = 30 * 60_000
const TELL_EACH = 100
const KEEPS = ['some', 'some', 'some', 'all'] as const

async function runFlushes(options: PowerOptions, dist: string, scratch: Scratch) {
  const chance = createChance(options.seed)
  const { seed, devices, mount } = options
  const kiosk = await openKiosk({ seed, devices, mount, dist, fs: 'ext4', record: true }, chance, scratch)
  const { disk, shop } = kiosk
  const startedAt = tick()
  await kiosk.switchOn()
  await kiosk.ready()
  say(`the machine is ready after ${((tick() - startedAt) / 1000).toFixed(0)} s`)
  const load = startLoad({ shop, chance: chance.branch() })
  if (!(await load.moreAnswers(options.sales, SELL_MS))) throw new Error('the machines did not sell enough in time')
  await kiosk.cut({ keep: 'all', seed })
  await load.finish(0)
  const judgedFrom = tick()
  if (!disk.log) throw new Error('the disk has no log')
  const replay = openReplay(kiosk.pristine, disk.log)
  say(`${load.counts.answered} answers, ${replay.marks} marks; replaying`)
  const states = await judgeStates({ replay, load, options, chance: chance.branch(), scratch })
  return {
    load,
    marks: replay.marks,
    writes: disk.log.events.filter(({ kind }) => kind === 'write').length,
    states,
    seconds: { selling: (judgedFrom - startedAt) / 1000, judging: (tick() - judgedFrom) / 1000 },
  }
}

/** Records a session of selling, and judges the card at each mark and, torn, between marks. */
export async function everyFlush(options: PowerOptions, dist: string, scratch: Scratch): Promise<Told[]> {
  const { sales, torn, mount } = options
  say(`flush: ${sales} sales, ext4${mount && ` with ${mount}`}, ${torn} torn cards`)
  const { load, writes, marks, states, seconds } = await runFlushes(options, dist, scratch)
  say(`\nsold in ${seconds.selling.toFixed(0)} s, judged in ${seconds.judging.toFixed(0)} s`)
  say(figure(load.counts.answered, 'answers with 200'))
  say(figure(writes, 'writes of the machine to its card'))
  say(figure(marks, 'flushes'))
  const [whole, ripped] = [states.filter(({ loss }) => loss === null), states.filter(({ loss }) => loss !== null)]
  return [
    { looked: whole.length, promise: `cards as they were at a flush, ${HOLDS}`, problems: whole.flatMap(problemsOf) },
    {
      looked: ripped.length,
      promise: `torn cards between two flushes, ${HOLDS}`,
      problems: ripped.flatMap(problemsOf),
    },
  ]
}

const HOLDS = 'each whole, sealed, and with all that was answered'

function problemsOf({ mark, loss, problems }: State): string[] {
  const name =
    loss === null ? '' : `, ${loss.lost} of ${loss.of} writes lost or torn by seed ${loss.seed} (${loss.keep})`
  return problems.map((problem) => `flush ${mark}${name}: ${problem}`)
}

interface JudgeOrder {
  replay: Replay
  load: Load
  options: PowerOptions
  chance: Chance
  scratch: Scratch
}

/** Which marks are judged as they were, and which torn and how often. */
async function judgeStates({ replay, load, options, chance, scratch }: JudgeOrder): Promise<State[]> {
  const [copy, dir] = [join(scratch.dir, 'copy.img'), join(scratch.dir, 'mounted')]
  const answers = load.sales.flatMap((sale) => sale.seen.map((seen): ToldAnswer => ({ sale, seen })))
  const torn = chosen(options.torn, replay.marks, chance)
  const whole = someOf(options.marks, replay.marks, chance)
  const states: State[] = []
  const wanted = whole.size + options.torn
  for (let mark = 0; mark <= replay.marks; mark++) {
    replay.to(mark)
    // Until the next mark is answered, nothing that depends on it can have been answered.
    const told = answers.filter(({ seen }) => seen.at < replay.momentOf(mark + 1))
    const judged = async (loss: State['loss']) => {
      const problems = await judgeCard(copy, dir, told)
      // A new file each time: a loop device that another program still has open is used again for the same file, with what it read before.
      rmSync(copy)
      states.push({ mark, loss, problems })
      if (states.length % TELL_EACH === 0) say(`${states.length} of ${wanted} cards judged`)
    }
    if (whole.has(mark)) {
      replay.copy(copy)
      await judged(null)
    }
    for (let i = 0; i < (torn.get(mark) ?? 0); i++) {
      const loss = { keep: chance.pick(KEEPS), torn: true, seed: Math.floor(chance.next() * 2 ** 31) }
      await judged({ ...loss, ...replay.copyTorn(copy, loss) })
    }
  }
  replay.close()
  return states
}

/** So many different marks, or all. */
function someOf(count: number, marks: number, chance: Chance): Set<number> {
  const all = Array.from({ length: marks + 1 }, (_, mark) => ({ mark, rank: chance.next() }))
  const inAnyOrder = all.sort((one, other) => one.rank - other.rank)
  return new Set(inAnyOrder.slice(0, count).map(({ mark }) => mark))
}

/** How often each of so many marks comes when some are drawn. */
function chosen(count: number, marks: number, chance: Chance): Map<number, number> {
  const times = new Map<number, number>()
  for (let i = 0; i < count; i++) {
    const mark = Math.floor(chance.next() * (marks + 1))
    times.set(mark, (times.get(mark) ?? 0) + 1)
  }
  return times
}
