import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../chaos/ports.ts'
import { createKillableProcess, type KillableProcess } from '../../chaos-sync/machine.ts'
import type { Bench } from '../bench.ts'
import { residentMb } from '../environment/process-use.ts'
import { slope } from '../statistics.ts'

const POINTS = 10

/** KB per 1,000 turns: a day has 17,000, and something of 50 bytes that stays of each would show. */
const MOST_GROWTH = 50

/** What was used is given back. */
const REST_MS = 2000

/**
 * Memory of a gateway that sells nothing, along the turns in which it asks its server and looks for what to tell it: with
 * a server, and cut off from it. A turn that comes each five seconds by itself is asked for here; what is asked while one
 * is under way is answered by the next. A gateway that is enrolled nowhere takes its turns beside the sales of `memory`.
 */
export async function turns(bench: Bench): Promise<void> {
  const { figures, much, short } = bench
  const count = much(20_000, 200)
  for (const standing of ['enrolled', 'cut off']) {
    const server = await startServer(bench, `server of ${standing}`)
    const { daemon, close } = await bench.stand({ name: standing, machines: 1 })
    const { token } = await server.admin('POST', '/admin/gateways', { name: 'kiosk' })
    await daemon.admin('POST', '/admin/sync/enroll', { url: server.base, token })
    if (standing === 'cut off') await server.stop()
    const points: [turns: number, mb: number][] = []
    for (let point = 1; point <= POINTS; point++) {
      for (let turn = 0; turn < count / POINTS; turn++) await daemon.admin('POST', '/admin/sync/now')
      await pause(REST_MS)
      points.push([(point * count) / POINTS, residentMb(daemon.pid() ?? 0).anonymous])
    }
    const growth = 1024 * 1000 * slope(points.slice(POINTS / 2))
    const what = `${standing}: growth over the second half of ${count} turns`
    figures.add(what, 'KB per 1,000', growth, short ? undefined : { most: MOST_GROWTH })
    await close()
    await server.stop()
  }
}

async function startServer({ dist, stub, chance, scratch }: Bench, name: string): Promise<KillableProcess> {
  const env = { FISKD_ROLE: 'server' }
  const server = createKillableProcess({ name, dist, authority: stub, port: await freePort(chance), env }, scratch)
  if (!(await server.rise())) throw new Error(`${name} does not start: ${server.ownEnds.at(-1)?.lastWords}`)
  return server
}
