import type { Chance } from '../chaos/chance.ts'
import type { Load } from '../chaos/load.ts'
import { pause, tick } from '../chaos/wait.ts'
import type { DiskMoment } from '../machine/disk.ts'
import type { Loss } from '../machine/power-loss.ts'
import type { PoweredKiosk } from './kiosk.ts'
import type { Moment } from './options.ts'

export interface Cut {
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
  /** By `tick`. */
  giveUpAt: number
  /** Hears each cut. */
  tell(cut: Cut): void
}

/** By turns, so that a short run has all of them. */
const TURNS = ['commit', 'starting', 'random', 'commit', 'checkpoint', 'starting', 'backup'] as const

/** An emulated machine needs so long to sell at all. */
const SELLING_MS = 120_000
/** A moment that does not come in so long is replaced by any. */
const MOMENT_MS = 60_000

/** Switches a kiosk on and off until it was off often enough or the time is over; it is off at the end. */
export async function cutAgainAndAgain(order: CutterOrder): Promise<Cut[]> {
  const { kiosk, load, chance, cuts, giveUpAt, tell } = order
  const done: Cut[] = []
  while (done.length < cuts && tick() < giveUpAt) {
    const at = order.at ?? TURNS[done.length % TURNS.length] ?? 'random'
    const loss = lossOf(chance)
    const startedAt = tick()
    await kiosk.switchOn()
    let readyMs: number | null = null
    if (at === 'starting') {
      await nthMoment(
        kiosk,
        chance.pick(['write', 'before-flush', 'flushed']),
        1 + Math.floor(chance.next() * 12),
        loss,
      )
    } else {
      await kiosk.ready()
      readyMs = tick() - startedAt
      await load.moreAnswers(Math.ceil(chance.between(1, 8)), SELLING_MS)
      await MOMENTS[at](kiosk, load, chance, loss)
    }
    const cut = { at, loss, readyMs, ...(await kiosk.cut(loss)) }
    done.push(cut)
    tell(cut)
  }
  return done
}

type Come = (kiosk: PoweredKiosk, load: Load, chance: Chance, loss: Loss) => Promise<unknown>

const MOMENTS: Record<Exclude<Moment, 'starting'>, Come> = {
  random: (_kiosk, _load, chance) => pause(chance.between(0, 3000)),
  // In the middle of a commit, or before its flush, or when the flush is durable and nobody knows it yet.
  commit: (kiosk, _load, chance, loss) =>
    nthMoment(kiosk, chance.pick(['write', 'before-flush', 'flushed']), 1 + Math.floor(chance.next() * 20), loss),
  // Writes follow each other without a flush where pages go from the log into the database.
  checkpoint: (kiosk, _load, chance, loss) => longRun(kiosk, 6 + Math.floor(chance.next() * 20), loss),
  async backup(kiosk, _load, chance, loss) {
    kiosk.type('fisk backup --force /data/backup.db; echo THE BACKUP ENDED')
    await nthMoment(kiosk, 'write', 20 + Math.floor(chance.next() * 200), loss)
  },
}

/** The cache is lost, kept as it is, or kept in part and torn. */
function lossOf(chance: Chance): Loss {
  const keep = chance.pick(['none', 'none', 'some', 'some', 'some', 'all'] as const)
  return { keep, torn: keep !== 'none' && chance.happens(0.6), seed: Math.floor(chance.next() * 2 ** 31) }
}

/** Takes the current away at the n-th such moment from now on, within the disk itself: nothing happens between. */
function nthMoment({ disk }: PoweredKiosk, moment: DiskMoment, nth: number, loss: Loss): Promise<void> {
  let left = nth
  return within((done) =>
    disk.listen((now) => {
      if (now !== moment || --left > 0) return
      disk.powerOff(loss)
      done()
    }),
  )
}

/** The same after so many writes without a flush between. */
function longRun({ disk }: PoweredKiosk, length: number, loss: Loss): Promise<void> {
  let run = 0
  return within((done) =>
    disk.listen((now) => {
      run = now === 'write' ? run + 1 : 0
      if (run < length) return
      disk.powerOff(loss)
      done()
    }),
  )
}

function within(begin: (done: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const patience = setTimeout(resolve, MOMENT_MS)
    begin(() => {
      clearTimeout(patience)
      resolve()
    })
  })
}
