import type { SharedClock } from './shared-clock.ts'

/** What is going to happen, by the shared clock. */
export interface Agenda {
  add(at: number, act: () => Promise<void> | void): void
  /** Lets everything up to a moment happen, in order, and the time between pass. */
  runTo(end: number): Promise<void>
  /** How often the clock jumped, and how far at the most. */
  jumps: { count: number; longestMs: number }
}

/** Most of what fiskd does by itself it does once a minute. */
const LONGEST_JUMP_MS = 60_000
const SHORTEST_JUMP_MS = 1000

/** How much of what is known of the time of a jump the latest one changes. */
const FRESH = 0.05

export interface AgendaOrder {
  clock: SharedClock
  /** When the last thing happens, by the shared clock, and when it is to happen in real time, by `realTick`. */
  end: number
  realEnd: number
  /** After each jump, when everybody has done what was due. */
  afterJump: () => Promise<void>
}

/** Jumps are as short as the real time allows: then what is due happens nearest to its time. */
export function createAgenda({ clock, end, realEnd, afterJump }: AgendaOrder): Agenda {
  const things: { at: number; act: () => Promise<void> | void }[] = []
  const jumps = { count: 0, longestMs: 0 }
  let jumpCost = 10
  /** What things cost in real time, on average. */
  let thingCost = 50

  function nextJump(): number {
    const left = realEnd - clock.realTick() - things.length * thingCost
    const affordable = ((end - Date.now()) * jumpCost) / Math.max(left, 1)
    return Math.min(LONGEST_JUMP_MS, Math.max(SHORTEST_JUMP_MS, affordable))
  }

  async function pass(until: number): Promise<void> {
    // Whoever took part in what happened last may still have something to do.
    if (until > Date.now()) await clock.quiet()
    for (let left = until - Date.now(); left > 0; left = until - Date.now()) {
      const began = clock.realTick()
      const jump = Math.min(left, nextJump())
      clock.advance(jump)
      jumps.count++
      jumps.longestMs = Math.max(jumps.longestMs, jump)
      await clock.quiet()
      await afterJump()
      jumpCost += FRESH * (clock.realTick() - began - jumpCost)
    }
  }

  return {
    jumps,
    add(at, act) {
      things.push({ at, act })
      things.sort((one, other) => one.at - other.at)
    },
    async runTo(moment) {
      for (let next = things[0]; next && next.at <= moment; next = things[0]) {
        await pass(next.at)
        things.shift()
        const began = clock.realTick()
        await next.act()
        thingCost += FRESH * (clock.realTick() - began - thingCost)
      }
      await pass(moment)
    },
  }
}
