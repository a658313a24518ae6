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

/** Resident memory, MB of 1024 kB: all of it, and what of it is not pages of files such as the program's own. */
export function residentMb(pid: number): { all: number; anonymous: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  const mbOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024
  return { all: mbOf('VmRSS'), anonymous: mbOf('RssAnon') }
}
