import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { haproxyFile } from '../../../test/support/haproxy.ts'
import { PASSWORD, ROLE, startPatroni, type Way } from '../../../test/support/patroni.ts'
import { startAuthority } from '../../chaos/authority.ts'
import { createChance } from '../../chaos/chance.ts'
import { freePort } from '../../chaos/ports.ts'
import { distOfRun } from '../../chaos/sabotage.ts'
import type { Scratch } from '../../chaos/scratch.ts'
import { OIB, setUpShop } from '../../chaos/shop.ts'
import { ask } from '../cluster.ts'
import { enrolKiosk } from '../kiosks.ts'
import type { SyncChaosOptions } from '../options.ts'
import { portsOf, riseOrThrow, startServers } from '../servers.ts'

export type Stand = Awaited<ReturnType<typeof openStand>>

/** At the server; two stand at each premises. */
const MACHINES = 8

/** A server on a highly available PostgreSQL, machines at it, and a gateway. */
export async function openStand(options: SyncChaosOptions, scratch: Scratch) {
  const { seed } = options
  const dist = distOfRun(options, scratch)
  const chance = createChance(seed)
  const authority = await startAuthority({ port: await freePort(chance), seed, oib: OIB }, scratch)
  const patroni = startPatroni(scratch.dir)
  await patroni.heal(true)
  const primary = (await patroni.primary()).url('postgres')
  await ask(primary, `CREATE ROLE ${ROLE} LOGIN PASSWORD '${PASSWORD}'`)
  for (const database of ['fiskd', 'beside']) await ask(primary, `CREATE DATABASE ${database} OWNER ${ROLE}`)

  const env = { FISKD_DATABASE_URL: patroni.url('haproxy', 'fiskd'), FISKD_PROXIES: '127.0.0.1' }
  const servers = await startServers({ processes: 3, dist, authority, chance, envOf: () => env }, scratch)
  const [front, { dataDir }] = [await freePort(chance), servers[0]]
  const file = join(scratch.dir, 'haproxy.cfg')
  writeFileSync(file, haproxyFile({ port: front, ca: join(dataDir, 'tls/ca.pem'), processes: portsOf(servers) }))
  const haproxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
  scratch.atTheEnd(() => void haproxy.kill('SIGKILL'))
  const base = `https://127.0.0.1:${front}`
  const shop = await setUpShop({ dataDir, base, devices: MACHINES, authority: authority.facts })
  const order = { dist, authority, servers, chance, after: MACHINES }
  const { kiosk, shop: kioskShop } = await enrolKiosk('gateway', order, scratch)
  kiosk.link.lead([front])
  return {
    ...{ patroni, servers, shop, kiosk, kioskShop, authority, chance },
    /** Starts the processes anew where they reach PostgreSQL in another way than before. */
    async lead(way: Way): Promise<void> {
      const url = patroni.url(way, 'fiskd')
      if (env.FISKD_DATABASE_URL === url) return
      env.FISKD_DATABASE_URL = url
      for (const server of servers) {
        await server.stop()
        await riseOrThrow(server)
      }
    },
  }
}
