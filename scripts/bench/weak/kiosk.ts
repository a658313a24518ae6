import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { startTcpPrinter, type TcpPrinter } from '../../../src/simulator/index.ts'
import type { Authority } from '../../chaos/authority.ts'
import type { Chance } from '../../chaos/chance.ts'
import { listenForService } from '../../chaos/notify.ts'
import { freePort } from '../../chaos/ports.ts'
import { openPosts } from '../../chaos/posts.ts'
import { createTill } from '../../chaos/sale.ts'
import type { Scratch } from '../../chaos/scratch.ts'
import { setUpShop } from '../../chaos/shop.ts'
import { createKillableProcess, type KillableProcess } from '../../chaos-sync/machine.ts'
import type { Cgroup } from './cgroup.ts'

/** A daemon in a group, with one machine and its printer. */
export interface WeakKiosk {
  daemon: KillableProcess
  /** Starts it in the group. @returns milliseconds until READY */
  start(): Promise<number>
  /** Sells one thing. @returns milliseconds until the answer, and from there until the receipt is cut */
  sell(): Promise<{ answerMs: number; receiptMs: number }>
  /** Posts a sale once. @returns milliseconds until it was answered with 200, or null */
  post(): Promise<number | null>
  /** How long after it was due each sign of life came, milliseconds. */
  signsLate: number[]
  /** Runs `fisk` outside of the group. @throws Error with what it said */
  fisk(...args: string[]): void
  close(): Promise<void>
}

/** A short one, for many signs of life in a short time; one is due every half of it. */
const WATCHDOG_MS = 8000

/** How often a sale is posted, at most; each post waits for 15 s. */
const POSTS = 4

const FISK_MS = 120_000

/** A receipt that has not come out by then does not count. */
const RECEIPT_MS = 30_000

export async function openWeakKiosk(
  name: string,
  { dist, authority, group, chance }: { dist: string; authority: Authority; group: Cgroup; chance: Chance },
  scratch: Scratch,
): Promise<WeakKiosk> {
  const signsLate: number[] = []
  let signAt: number | undefined
  const socket = await listenForService(
    scratch,
    (field) => {
      if (field !== 'WATCHDOG=1') return
      const now = performance.now()
      if (signAt !== undefined) signsLate.push(now - signAt - WATCHDOG_MS / 2)
      signAt = now
    },
    `${name}-notify`,
  )
  const env = { NOTIFY_SOCKET: socket, WATCHDOG_USEC: String(WATCHDOG_MS * 1000) }
  const daemon = createKillableProcess({ name, dist, authority, port: await freePort(chance), env }, scratch)
  const { dataDir, base } = daemon
  let cutAt = 0
  const printer: TcpPrinter = await startTcpPrinter({
    onPaper: () => {
      cutAt = performance.now()
    },
  })
  const start = async () => {
    signAt = undefined
    const began = performance.now()
    if (!(await group.start(() => daemon.rise())))
      throw new Error(`the daemon did not start: ${daemon.ownEnds.at(-1)?.lastWords}`)
    return performance.now() - began
  }

  await start()
  const paper = { lineOf: () => `tcp:127.0.0.1:${printer.port}` }
  const shop = await setUpShop({ dataDir, base, devices: 1, authority: authority.facts, paper })
  const { post } = openPosts(shop)
  const [machine] = shop.machines
  if (!machine) throw new Error('there is no machine')
  const till = createTill(machine, chance, null)
  return {
    daemon,
    start,
    signsLate,
    async sell() {
      const sale = till()
      cutAt = 0
      const began = performance.now()
      // As firmware does it: the very same sale again.
      for (let i = 0; i < POSTS && !sale.seen[0]; i++) await post(sale)
      const answeredAt = performance.now()
      if (!sale.seen[0]) throw new Error(`a sale was not taken: ${sale.refusals[0] ?? 'no answer'}`)
      while (cutAt === 0 && performance.now() - answeredAt < RECEIPT_MS) await pause(1)
      return { answerMs: answeredAt - began, receiptMs: cutAt === 0 ? Number.NaN : Math.max(0, cutAt - answeredAt) }
    },
    async post() {
      const sale = till()
      const began = performance.now()
      await post(sale)
      return sale.seen[0] ? performance.now() - began : null
    },
    fisk(...args) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(dist, 'cli/main.js'), ...args], {
        env: { PATH: process.env.PATH, FISKD_DATA_DIR: dataDir, FISKD_SOCKET: join(dataDir, 'fiskd.sock') },
        encoding: 'utf8',
        timeout: FISK_MS,
      })
      if (status !== 0) throw new Error(`fisk ${args.join(' ')}: ${stderr}${stdout}`)
    },
    async close() {
      await daemon.kill()
      await printer.close()
    },
  }
}
