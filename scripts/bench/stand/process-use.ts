import { readFileSync } from 'node:fs'

/** The clock ticks in which Linux tells times to programs: fixed at 100 a second on every architecture fiskd runs on. */
const TICK_MS = 10

/** Processor time of all threads of a process so far, user and system, milliseconds. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
  return (Number(user) + Number(system)) * TICK_MS
}

/** Resident memory, MB of 1024 kB. */
export function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) / 1024
}
