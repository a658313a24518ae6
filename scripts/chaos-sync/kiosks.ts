import type { Authority } from '../chaos/authority.ts'
import type { Chance } from '../chaos/chance.ts'
import { freePort } from '../chaos/ports.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { type Shop, setUpShop } from '../chaos/shop.ts'
import { pause, tick } from '../chaos/wait.ts'
import { openLink } from './link.ts'
import { createKillableProcess, type KillableProcess } from './machine.ts'
import type { Kiosk } from './trouble.ts'

interface KioskOrder {
  dist: string
  authority: Pick<Authority, 'facts'>
  servers: readonly KillableProcess[]
  chance: Chance
}

/** A gateway with a line of its own to any of the server's processes. */
async function startKiosk(
  name: string,
  { dist, authority, servers, chance }: KioskOrder,
  scratch: Scratch,
): Promise<Kiosk> {
  const [first, ...others] = servers.map(({ base }) => Number(new URL(base).port))
  if (first === undefined) throw new Error('there is no server')
  const link = await openLink([first, ...others], chance.branch())
  const mortal = createKillableProcess({ name, port: await freePort(chance), dist, authority, env: {} }, scratch)
  if (!(await mortal.rise())) throw new Error(`${name} did not start:\n${mortal.ownEnds[0]?.lastWords}`)
  return Object.assign(mortal, { link })
}

/** A gateway that is enrolled, with two machines at one premises. @param after so many machines are elsewhere */
export async function enrolKiosk(
  name: string,
  order: KioskOrder & { after: number },
  scratch: Scratch,
): Promise<{ kiosk: Kiosk; shop: Shop }> {
  const { authority, servers, after } = order
  const kiosk = await startKiosk(name, order, scratch)
  const { dataDir, base } = kiosk
  const shop = await setUpShop({ dataDir, base, devices: 2, authority: authority.facts, after })
  const { token } = (await servers[0]?.admin('POST', '/admin/gateways', { name })) ?? {}
  await kiosk.admin('POST', '/admin/sync/enroll', { url: `https://127.0.0.1:${kiosk.link.port}`, token })
  return { kiosk, shop }
}

/** Refusals that a sale gets over while there is trouble: the machine posts it again. */
export const passes = (refusal: string): boolean => refusal.startsWith('5') || refusal.startsWith('429')

/** Whether every gateway has told all it had within that time. */
export async function nothingWaits(kiosks: readonly Kiosk[], withinMs: number): Promise<boolean> {
  const giveUpAt = tick() + withinMs
  while (tick() < giveUpAt) {
    const states = await Promise.all(kiosks.map((kiosk) => kiosk.admin('GET', '/admin/sync').catch(() => ({}))))
    if (states.every((state) => (state as { sync?: { waiting: number } }).sync?.waiting === 0)) return true
    await pause(500)
  }
  return false
}
