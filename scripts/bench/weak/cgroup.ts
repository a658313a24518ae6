import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../../chaos/arguments.ts'
import type { Scratch } from '../../chaos/scratch.ts'

/** Processes that together have so much of a processor and of memory. */
export interface Cgroup {
  /** Where it is, by controller. */
  folders: Layout['roots']
  /** @param share of one core */
  limitCpu(share: number): void
  /** Without swap. */
  limitMemory(bytes: number): void
  /** Runs what starts a process: the new one is in the group. Not while memory is short there: this one is in it, too. */
  start<T>(work: () => T): T
  /** Moves a process into the group. */
  add(pid: number): void
  /** How often somebody was killed for want of memory. */
  kills(): number
}

/** The files of version 2 of the kernel's interface, and of version 1. */
interface Layout {
  /** Folders in which a group is made. */
  roots: { cpu: string; memory: string }
  cpu: (folder: string, quotaUs: number, periodUs: number) => void
  memory: (folder: string, bytes: number) => void
  kills: string
}

const BASE = '/sys/fs/cgroup'

/** The shorter, the more even is the pace; the kernel allows no quota below a millisecond. */
const LEAST_PERIOD_US = 10_000
const LEAST_QUOTA_US = 1000

const REMOVALS = 50
const REMOVAL_MS = 50

const V2: Layout = {
  roots: { cpu: BASE, memory: BASE },
  cpu: (folder, quota, period) => writeFileSync(join(folder, 'cpu.max'), `${quota} ${period}`),
  memory(folder, bytes) {
    writeFileSync(join(folder, 'memory.max'), String(bytes))
    if (existsSync(join(folder, 'memory.swap.max'))) writeFileSync(join(folder, 'memory.swap.max'), '0')
  },
  kills: 'memory.events',
}

const V1: Layout = {
  roots: { cpu: join(BASE, 'cpu'), memory: join(BASE, 'memory') },
  cpu(folder, quota, period) {
    writeFileSync(join(folder, 'cpu.cfs_period_us'), String(period))
    writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(quota))
  },
  memory(folder, bytes) {
    writeFileSync(join(folder, 'memory.limit_in_bytes'), String(bytes))
    const withSwap = join(folder, 'memory.memsw.limit_in_bytes')
    if (existsSync(withSwap)) writeFileSync(withSwap, String(bytes))
  },
  kills: 'memory.oom_control',
}

/**
 * @param within a group without processes of its own; default the root
 * @throws UsageError when groups cannot be made here
 */
export function openCgroup(name: string, scratch: Scratch, within?: Cgroup): Cgroup {
  const layout = existsSync(join(BASE, 'cgroup.controllers')) ? V2 : V1
  const above = within?.folders ?? layout.roots
  const cpu = join(above.cpu, `fiskd-${name}-${process.pid}`)
  const memory = join(above.memory, `fiskd-${name}-${process.pid}`)
  const roots = [...new Set(Object.values(layout.roots))]
  const folders = [...new Set([cpu, memory])]
  try {
    if (layout === V2) writeFileSync(join(above.cpu, 'cgroup.subtree_control'), '+cpu +memory')
    for (const folder of folders) mkdirSync(folder)
  } catch (error) {
    throw new UsageError(`no group can be made below ${above.cpu}: run it as root (${(error as Error).message})`)
  }
  scratch.atTheEnd(() => folders.map(removeGroup))
  const move = (pid: number) => (folder: string) => writeFileSync(join(folder, 'cgroup.procs'), String(pid))
  const enter = move(process.pid)
  const home = homesOf(roots)
  return {
    folders: { cpu, memory },
    limitCpu(share) {
      const period = Math.round(Math.max(LEAST_PERIOD_US, LEAST_QUOTA_US / share))
      layout.cpu(cpu, Math.round(period * share), period)
    },
    add: (pid) => folders.forEach(move(pid)),
    limitMemory: (bytes) => layout.memory(memory, bytes),
    start(work) {
      folders.forEach(enter)
      try {
        return work()
      } finally {
        home.forEach(enter)
      }
    },
    kills: () => Number(/^oom_kill (\d+)/m.exec(readFileSync(join(memory, layout.kills), 'utf8'))?.[1] ?? 0),
  }
}

/** Where this process is now. */
function homesOf(roots: string[]): string[] {
  const lines = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n')
  return roots.map((root) => {
    const controller = root === BASE ? '' : root.slice(BASE.length + 1)
    const line = lines.find((one) => one.split(':')[1]?.split(',').includes(controller))
    return join(root, line?.split(':')[2] ?? '/')
  })
}

/** With the processes that are still in it. */
function removeGroup(folder: string): void {
  const sleep = new Int32Array(new SharedArrayBuffer(4))
  for (let i = 0; i < REMOVALS && existsSync(folder); i++) {
    try {
      for (const pid of readFileSync(join(folder, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean)) {
        if (Number(pid) !== process.pid) process.kill(Number(pid), 'SIGKILL')
      }
      rmdirSync(folder)
    } catch {
      Atomics.wait(sleep, 0, 0, REMOVAL_MS)
    }
  }
}
