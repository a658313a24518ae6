import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Authority, startAuthority } from '../chaos/authority.ts'
import type { Chance } from '../chaos/chance.ts'
import { freePort } from '../chaos/ports.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { OIB, type Shop, setUpShop } from '../chaos/shop.ts'
import { createKillableProcess, type KillableProcess } from '../chaos-sync/machine.ts'
import { riseOrThrow } from '../chaos-sync/servers.ts'
import type { SoakOptions } from './options.ts'
import type { KioskPrinter } from './printer.ts'
import type { SharedClock } from './shared-clock.ts'
import { startWatchdog, type Watchdog } from './watchdog.ts'

/** A controller with its machines and printers, the authority, and what systemd does for it. */
export interface Kiosk {
  authority: Authority
  daemon: KillableProcess
  shop: Shop
  watchdog: Watchdog
  backupDir: string
  /** What fiskd-backup.timer calls. @throws Error with what it said when it fails */
  backUp(): Promise<void>
}

const NIGHTLY = fileURLToPath(new URL('../../systemd/nightly-backup', import.meta.url))

/** Copies that are kept: few, so that a short run sees the oldest go. */
const KEPT = 3

/** The daemon runs, and everything is set up. */
export async function openKiosk(
  { dist, seed }: SoakOptions,
  printers: KioskPrinter[],
  clock: SharedClock,
  chance: Chance,
  scratch: Scratch,
): Promise<Kiosk> {
  const { env } = clock
  const authority = await startAuthority({ port: await freePort(chance), seed, oib: OIB }, scratch, env)
  const watchdog = await startWatchdog(clock, () => daemon, scratch)
  const daemon = createKillableProcess(
    {
      name: 'kiosk',
      port: await freePort(chance),
      dist,
      authority,
      env: { ...env, ...watchdog.env, FISKD_SWEEP_INTERVAL_S: '300' },
    },
    scratch,
  )
  const { dataDir, base } = daemon
  await riseOrThrow(daemon)
  const lineOf = (machine: number) => printers[machine]?.line ?? ''
  const devices = printers.length
  const shop = await setUpShop({ dataDir, base, devices, authority: authority.facts, paper: { lineOf } })
  for (const { id } of shop.machines) {
    await daemon.admin('PATCH', `/admin/printers/${id}`, { profile: 'epson-tm-t20' })
  }
  const backupDir = join(scratch.dir, 'backups')
  return {
    authority,
    daemon,
    shop,
    watchdog,
    backupDir,
    backUp: () =>
      run(NIGHTLY, {
        ...env,
        PATH: process.env.PATH ?? '',
        FISKD_DATA_DIR: dataDir,
        FISKD_SOCKET: daemon.socketPath,
        FISK: `${process.execPath} ${join(dist, 'cli/main.js')}`,
        BACKUP_DIR: backupDir,
        BACKUP_KEEP: String(KEPT),
      }),
  }
}

function run(program: string, env: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [], { env, stdio: ['ignore', 'ignore', 'pipe'] })
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
    })
    child.once('error', reject)
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(`${program}: ${said}`))))
  })
}
