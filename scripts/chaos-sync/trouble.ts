import type { Authority } from '../chaos/authority.ts'
import type { Chance } from '../chaos/chance.ts'
import { pause, tick } from '../chaos/wait.ts'
import type { Link } from './link.ts'
import type { KillableProcess } from './machine.ts'

export interface Kiosk extends KillableProcess {
  link: Link
}

export interface Troubles {
  cuts: number
  breaks: number
  blackouts: number
  gatewayKills: number
  serverKills: number
  /** Of the tax authority. */
  outages: number
}

interface TroubleOrder {
  seconds: number
  kiosks: readonly [Kiosk, ...Kiosk[]]
  servers: readonly [KillableProcess, ...KillableProcess[]]
  authority: Authority
  chance: Chance
}

/** More often the things that happen more often, and each in a short run, too. */
const KINDS = [
  'breaks',
  'gatewayKills',
  'cuts',
  'serverKills',
  'breaks',
  'gatewayKills',
  'blackouts',
  'outages',
] as const satisfies (keyof Troubles)[]

/** How many bytes of a push go through before its line breaks, at most: half a batch, or half an answer. */
const MOST_BYTES = 60_000

/** Cuts, breaks and kills at random until the time is over; what it has cut or killed comes back by itself. */
export async function makeTrouble({ seconds, kiosks, servers, authority, chance }: TroubleOrder): Promise<Troubles> {
  const troubles: Troubles = { cuts: 0, breaks: 0, blackouts: 0, gatewayKills: 0, serverKills: 0, outages: 0 }
  const endAt = tick() + seconds * 1000
  const comingBack = new Set<Promise<unknown>>()
  /** Not awaited: others break meanwhile. */
  const later = (leastMs: number, mostMs: number, back: () => unknown) => {
    const coming: Promise<unknown> = pause(chance.between(leastMs, mostMs))
      .then(back)
      .finally(() => comingBack.delete(coming))
    comingBack.add(coming)
  }

  const happen: Record<keyof Troubles, () => unknown> = {
    cuts() {
      const { link } = chance.pick(kiosks)
      link.cut()
      later(500, 15_000, link.mend)
    },
    breaks() {
      const bytes = Math.ceil(chance.between(1, MOST_BYTES))
      for (const { link } of kiosks) if (chance.happens(0.3)) link.breakAfter(bytes)
    },
    blackouts() {
      for (const { link } of kiosks) link.cut()
      later(500, 5000, () => {
        for (const { link } of kiosks) link.mend()
      })
    },
    async gatewayKills() {
      const kiosk = chance.pick(kiosks)
      await kiosk.kill()
      later(0, 3000, kiosk.rise)
    },
    async serverKills() {
      const server = chance.pick(servers)
      await server.kill()
      later(0, 4000, server.rise)
    },
    async outages() {
      await authority.goDown()
      later(500, 4000, authority.comeBack)
    },
  }

  for (let i = 0; tick() < endAt; i++) {
    const kind = KINDS[i % KINDS.length] ?? 'breaks'
    await happen[kind]()
    troubles[kind]++
    await pause(chance.between(100, 1500))
  }
  while (comingBack.size > 0) await Promise.all(comingBack)
  return troubles
}
