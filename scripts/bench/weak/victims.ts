import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../chaos/ports.ts'
import type { Scratch } from '../../chaos/scratch.ts'
import { createKillableProcess } from '../../chaos-sync/machine.ts'
import { type Cgroup, openCgroup } from './cgroup.ts'
import { takeWith } from './memory.ts'
import type { Parts } from './sections.ts'

/** Whom the kernel has ended. */
export interface Victims {
  others: number
  daemon: boolean
  /** From the moment when memory was taken until the daemon was gone, or the look at it was over. */
  seconds: number
}

export interface VictimsOrder {
  machineMb: number
  /** MemoryMax of the daemon, and OOMScoreAdjust. */
  maxMb: number | null
  adjust: number
  /** Who takes all the memory. */
  taker: 'daemon' | 'others'
}

/** Few beside a daemon that takes the memory itself; or so many that they have more than there is. */
export const OTHERS = { daemon: 3, others: 30 }

/** A defect that keeps 50 MB more each second, once it is told to. */
const LEAKS = `process.once('SIGWINCH', () => {
  const kept = []
  setInterval(() => kept.push(Buffer.alloc(1 << 20, 1)), 20)
})`

const LONGEST_S = { daemon: 60, others: 15 }
const LOOK_MS = 50

/** A daemon beside small processes, all of them together in the memory of a small machine, when that runs out. */
export async function findVictims(
  { machineMb, maxMb, adjust, taker }: VictimsOrder,
  { dist, authority, chance }: Parts,
  scratch: Scratch,
): Promise<Victims> {
  const name = `victims-${Math.round(performance.now())}`
  const whole = openCgroup(name, scratch)
  whole.limitMemory(machineMb * 1024 * 1024)
  const group = openCgroup('daemon', scratch, whole)
  if (maxMb !== null) group.limitMemory(maxMb * 1024 * 1024)
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(LEAKS)}` }
  const daemon = createKillableProcess({ name, dist, authority, port: await freePort(chance), env }, scratch)
  if (!(await group.start(() => daemon.rise())))
    throw new Error(`the daemon did not start: ${daemon.ownEnds.at(-1)?.lastWords}`)
  const pid = daemon.pid() ?? 0
  const others = openOthers(OTHERS[taker], openCgroup('others', scratch, whole), adjust, scratch)
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1000
  others.take()
  if (taker === 'daemon') process.kill(pid, 'SIGWINCH')
  while (daemon.pid() === pid && seconds() < LONGEST_S[taker]) await pause(LOOK_MS)
  const victims = { others: others.gone(), daemon: daemon.pid() !== pid, seconds: seconds() }
  others.close()
  await daemon.kill()
  return victims
}

function openOthers(count: number, group: Cgroup, adjust: number, scratch: Scratch) {
  let gone = 0
  let over = false
  const all = Array.from({ length: count }, () => {
    const other = spawn('python3', ['-c', takeWith(adjust)], { stdio: ['pipe', 'ignore', 'ignore'] })
    if (other.pid !== undefined) group.add(other.pid)
    other.stdin.on('error', () => {})
    other.once('exit', () => {
      if (!over) gone++
    })
    return other
  })
  const close = () => {
    over = true
    for (const other of all) other.kill('SIGKILL')
  }
  scratch.atTheEnd(close)
  const take = () => {
    for (const other of all) other.stdin.write('\n')
  }
  return { take, gone: () => gone, close }
}
