import type { Chance } from '../chaos/chance.ts'
import type { Load } from '../chaos/load.ts'
import { pause, tick } from '../chaos/wait.ts'
import type { DiskMoment } from '../machine/disk.ts'
import type { Loss } from '../machine/power-loss.ts'
import type { PoweredKiosk } from './kiosk.ts'
import type { Moment } from './options.ts'

export interface Cut {
  /** The moment that it was; any when the one that was wanted did not come. */
  at: Moment
  loss: Loss
  /** Writes that were not flushed, and how many of those were lost or torn. */
  of: number
  lost: number
  /** Milliseconds from the switch to ready; null where the current went before. */
  readyMs: number | null
}

export interface CutterOrder {
  kiosk: PoweredKiosk
  load: Load
  chance: Chance
  cuts: number
  at: Moment | null
  /** Bytes that the card writes whole or not at all. */
  sector: number
  /** By `tick`. */
  giveUpAt: number
  /** Hears each cut. */
  tell(cut: Cut): void
}

/** By turns, so that a short run has all of them. */
const TURNS = [
  ...(['commit', 'starting', 'upgrade', 'log', 'commit', 'checkpoint', 'starting', 'backup'] as const),
  ...(['commit', 'starting', 'upgrade', 'random', 'commit', 'starting', 'checkpoint'] as const),
]

/** An emulated machine needs so long to sell at all. */
const SELLING_MS = 120_000
/** A moment that does not come in so long is replaced by any. */
const MOMENT_MS = 30_000

/** Switches a kiosk on and off until it was off often enough or the time is over; it is off at the end. */
export async function cutAgainAndAgain(order: CutterOrder): Promise<Cut[]> {
  const { kiosk, load, chance, cuts, giveUpAt, sector, tell } = order
  const done: Cut[] = []
  while (done.length < cuts && tick() < giveUpAt) {
    const wanted = order.at ?? TURNS[done.length % TURNS.length] ?? 'random'
    const loss = { ...lossOf(chance), sector }
    const startedAt = tick()
    await kiosk.switchOn()
    let readyMs: number | null = null
    let hasCome: boolean
    if (wanted === 'starting') {
      hasCome = await nthMoment(kiosk, anyMoment(chance), 1 + Math.floor(chance.next() * 12), loss)
    } else {
      await kiosk.ready()
      readyMs = tick() - startedAt
      await load.moreAnswers(Math.ceil(chance.between(1, 5)), SELLING_MS)
      hasCome = await MOMENTS[wanted](kiosk, chance, loss)
    }
    const cut: Cut = { at: hasCome ? wanted : 'random', loss, readyMs, ...(await kiosk.cut(loss)) }
    done.push(cut)
    tell(cut)
  }
  return done
}

/** @returns whether it came */
type Come = (kiosk: PoweredKiosk, chance: Chance, loss: Loss) => Promise<boolean>

const MOMENTS: Record<Exclude<Moment, 'starting'>, Come> = {
  async random(_kiosk, chance) {
    await pause(chance.between(0, 3000))
    return true
  },
  // In the middle of a commit, or before its flush, or when the flush is durable and nobody knows it yet.
  commit: (kiosk, chance, loss) => nthMoment(kiosk, anyMoment(chance), 1 + Math.floor(chance.next() * 20), loss),
  // The daemon ends, and all of its log goes into the database: pages follow each other without a flush.
  checkpoint(kiosk, chance, loss) {
    kiosk.type('stop')
    return nthMoment(kiosk, anyMoment(chance), 1 + Math.floor(chance.next() * 12), loss)
  },
  backup(kiosk, chance, loss) {
    kiosk.type('fisk backup --force /data/backup.db; echo THE BACKUP ENDED')
    return nthMoment(kiosk, 'write', 20 + Math.floor(chance.next() * 200), loss)
  },
  // The old daemon ends, and the new one changes the schema before it sells.
  async upgrade(kiosk, chance, loss) {
    await kiosk.upgrade()
    return nthMoment(kiosk, anyMoment(chance), 1 + Math.floor(chance.next() * 12), loss)
  },
  // What else is written on the card at that time: another program's files, renamed, packed and removed.
  log(kiosk, chance, loss) {
    kiosk.type('rotate')
    return nthMoment(kiosk, anyMoment(chance), 1 + Math.floor(chance.next() * 12), loss)
  },
}

/** The cache is lost, kept as it is, or kept in part and torn. */
function lossOf(chance: Chance): Loss {
  const keep = chance.pick(['none', 'none', 'some', 'some', 'some', 'all'] as const)
  return { keep, torn: keep !== 'none' && chance.happens(0.6), seed: Math.floor(chance.next() * 2 ** 31) }
}

const anyMoment = (chance: Chance): DiskMoment => chance.pick(['write', 'before-flush', 'flushed'])

/** Takes the current away at the n-th such moment from now on, within the disk itself: nothing happens between. */
function nthMoment({ disk }: PoweredKiosk, moment: DiskMoment, nth: number, loss: Loss): Promise<boolean> {
  let left = nth
  return within((done) =>
    disk.listen((now) => {
      if (now !== moment || --left > 0) return
      disk.powerOff(loss)
      done()
    }),
  )
}

/** @returns whether it was done in time */
function within(begin: (done: () => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const patience = setTimeout(() => resolve(false), MOMENT_MS)
    begin(() => {
      clearTimeout(patience)
      resolve(true)
    })
  })
}
