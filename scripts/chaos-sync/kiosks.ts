import type { Authority } from '../chaos/authority.ts'
import type { Chance } from '../chaos/chance.ts'
import { freePort } from '../chaos/ports.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { type Shop, setUpShop } from '../chaos/shop.ts'
import { pause, tick } from '../chaos/wait.ts'
import { openLink } from './link.ts'
import { createKillableProcess, type KillableProcess } from './machine.ts'
import { portsOf, riseOrThrow } from './servers.ts'
import type { Kiosk } from './trouble.ts'

interface KioskOrder {
  dist: string
  authority: Pick<Authority, 'facts'>
  servers: readonly [KillableProcess, ...KillableProcess[]]
  chance: Chance
  /** So many machines are elsewhere. */
  after: number
}

/** A gateway that is enrolled over a line of its own to any of the server's processes, with two machines at one premises. */
export async function enrolKiosk(
  name: string,
  { dist, authority, servers, chance, after }: KioskOrder,
  scratch: Scratch,
): Promise<{ kiosk: Kiosk; shop: Shop }> {
  const link = await openLink(portsOf(servers), chance.branch())
  const order = { name, port: await freePort(chance), dist, authority, env: {} }
  const kiosk = Object.assign(createKillableProcess(order, scratch), { link })
  await riseOrThrow(kiosk)
  const { dataDir, base } = kiosk
  const shop = await setUpShop({ dataDir, base, devices: 2, authority: authority.facts, after })
  const { token } = await servers[0].admin('POST', '/admin/gateways', { name })
  await kiosk.admin('POST', '/admin/sync/enroll', { url: `https://127.0.0.1:${link.port}`, token })
  return { kiosk, shop }
}

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
