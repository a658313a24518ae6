import { randomBytes } from 'node:crypto'
import { copyFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Authority, simulated, startAuthority, trustAuthority } from '../chaos/authority.ts'
import type { Chance } from '../chaos/chance.ts'
import { startDaemon } from '../chaos/daemon.ts'
import type { Paper } from '../chaos/paper.ts'
import { freePort } from '../chaos/ports.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { OIB, type Shop, setUpShop } from '../chaos/shop.ts'
import { type FileSystem, makeCard, unpackDelivery } from '../machine/card.ts'
import type { Machine } from '../machine/console.ts'
import { type Disk, startDisk } from '../machine/disk.ts'
import { undoLaterReleases } from '../machine/later-releases.ts'
import type { Loss } from '../machine/power-loss.ts'
import { quickGuest } from '../machine/quick-guest.ts'
import { startUserMode } from '../machine/user-mode.ts'
import { openNetworkPaper } from './paper.ts'

export interface KioskOrder {
  fs: FileSystem
  /** Options of its mount, such as `commit=60`; empty for none. */
  mount: string
  dist: string
  devices: number
  seed: number
  /** Whether the disk keeps a log of all writes. */
  record: boolean
}

/** A shop on a machine of its own, whose card is outside of it. */
export interface PoweredKiosk {
  authority: Authority
  shop: Shop
  paper: Paper
  disk: Disk
  /** The card as it was before the first boot. */
  pristine: string
  /** Switches it on, and waits until its card is mounted. @throws Error with the end of what it said */
  switchOn(): Promise<void>
  /** Waits until fiskd is ready. @throws Error with the end of what it said */
  ready(): Promise<void>
  /**
   * Begins to upgrade fiskd to a later release, whose schema has one change more, and waits until the older one has ended.
   * What is there at the next boot is that release.
   */
  upgrade(): Promise<void>
  /** Types a command on its console; the functions of `kiosk.sh` are known there. */
  type(command: string): void
  /** Takes the current away at once. @returns what became of what the card held in its cache */
  cut(loss: Loss): Promise<{ lost: number; of: number }>
  /** Stops fiskd, and gives out its data directory, as a fiskd without later changes of the schema reads it. */
  deliver(): Promise<string>
}

const HOST = '10.0.2.2'
const MEMORY_MB = 512
/** A machine that takes longer hangs; this host may be busy. */
const BOOT_MS = 600_000
const DELIVERY_BYTES = 256 * 1024 * 1024

export async function openKiosk(order: KioskOrder, chance: Chance, scratch: Scratch): Promise<PoweredKiosk> {
  const [port, authorityPort] = [await freePort(chance), await freePort(chance)]
  const authority = await startAuthority({ port: authorityPort, seed: order.seed, oib: OIB }, scratch)
  const paper = await openNetworkPaper(order.devices, HOST, scratch)
  const content = join(scratch.dir, 'content')
  const shop = await setUp(order, { content, port, authority, paper }, scratch)
  const [pristine, image] = [join(scratch.dir, 'pristine.img'), join(scratch.dir, 'card.img')]
  makeCard(order.fs, content, image)
  copyFileSync(image, pristine)
  rmSync(content, { recursive: true })
  const disk = await startDisk({
    image,
    socket: join(scratch.dir, 'card'),
    ...(order.record && { record: join(scratch.dir, 'card.log') }),
  })
  const delivery = join(scratch.dir, 'delivery')
  writeFileSync(delivery, '')
  truncateSync(delivery, DELIVERY_BYTES)
  const guest = await quickGuest(order.dist, scratch.dir)
  const boot = () =>
    startUserMode({
      dir: scratch.dir,
      kernel: guest.kernel,
      initrd: guest.initrd,
      libraries: guest.libraries,
      append: 'quiet mitigations=off panic=-1',
      memoryMb: MEMORY_MB,
      root: guest.root,
      card: join(scratch.dir, 'card'),
      delivery,
      forwards: [{ host: port, guest: 8443 }],
      reaches: [authorityPort, ...paper.ports],
      consoleLog: join(scratch.dir, 'console.log'),
    })
  const identities = new Set<string>()
  let upgrades = 0
  let machine: Machine | undefined
  scratch.atTheEnd(() => machine?.kill())

  const running = (): Machine => {
    if (!machine) throw new Error('the kiosk is off')
    return machine
  }

  return {
    authority,
    shop,
    paper,
    disk,
    pristine,
    async switchOn() {
      disk.powerOn()
      machine = await boot()
      machine.type(`\n${orderOf(order, authority, upgrades)}\n`) // the first byte after a rest may be lost
      await machine.wait(/THE CARD IS (NOT )?MOUNTED.*\r?\n/, BOOT_MS)
      const [, identity] = /THE CARD IS MOUNTED ([0-9a-f-]{36})/.exec(machine.console) ?? []
      if (identity === undefined) throw new Error(`the card cannot be mounted:\n${machine.console.slice(-3000)}`)
      // A machine that draws the random numbers of an earlier one would give an id twice.
      if (identities.has(identity)) throw new Error('two machines draw the same random numbers')
      identities.add(identity)
    },
    ready: () => running().wait('"msg":"ready"', BOOT_MS),
    async upgrade() {
      upgrades += 1
      running().type(`upgrade '${JSON.stringify(environmentInside(authority, upgrades))}'\n`)
      await running().wait('DAEMON ENDED', BOOT_MS)
    },
    type: (command) => running().type(`${command}\n`),
    async cut(loss) {
      const result = disk.powerOff(loss)
      await running().powerOff()
      machine = undefined
      return result
    },
    async deliver() {
      running().type('deliver\n')
      await running().wait('THE CARD IS DELIVERED', BOOT_MS)
      await running().powerOff()
      machine = undefined
      const dataDir = unpackDelivery(delivery, join(scratch.dir, 'delivered'))
      undoLaterReleases(dataDir, upgrades)
      return dataDir
    },
  }
}

interface SetUp {
  content: string
  port: number
  authority: Authority
  paper: Paper
}

/** Natively, for that is done in a second. */
async function setUp(
  { dist, devices }: KioskOrder,
  { content, port, authority, paper }: SetUp,
  scratch: Scratch,
): Promise<Shop> {
  const dataDir = join(content, 'fiskd')
  trustAuthority(dataDir, authority.facts)
  const env = environmentOf(authority.facts.url)
  const life = startDaemon(
    dist,
    { ...env, FISKD_DATA_DIR: dataDir, FISKD_LISTEN: `127.0.0.1:${port}` },
    scratch,
    'set-up.log',
  )
  if ((await life.ready) === null) throw new Error(`the daemon did not start:\n${(await life.ended).lastWords}`)
  const base = `https://127.0.0.1:${port}`
  const shop = await setUpShop({ dataDir, base, devices, authority: authority.facts, paper })
  await life.terminate()
  return shop
}

/** The card is small, and is to be written to its end. */
const environmentOf = (url: string) => ({
  ...simulated({ url }),
  FISKD_SWEEP_INTERVAL_S: '1',
  FISKD_DISK_FLOOR_MB: '0',
})

/** The authority's certificate names `cis.test`, which the machine knows as this host. */
const environmentInside = ({ facts }: Authority, upgrades: number) => ({
  ...environmentOf(facts.url.replace('127.0.0.1', 'cis.test')),
  FISKD_DATA_DIR: '/data/fiskd',
  FISKD_LISTEN: '0.0.0.0:8443',
  LATER_RELEASES: String(upgrades),
})

/** What `kiosk.sh` reads. */
function orderOf({ fs, mount }: KioskOrder, authority: Authority, upgrades: number): string {
  const options = ['noatime', ...(mount === '' ? [] : [mount])].join()
  return [
    `now=${(Date.now() / 1000).toFixed(0)}`,
    `entropy=${randomBytes(32).toString('hex')}`,
    `fs=${fs}`,
    `options=${options}`,
    `environment='${JSON.stringify(environmentInside(authority, upgrades))}'`,
  ].join(' ')
}
