import { readdirSync, readFileSync } from 'node:fs'

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

/** The same of the threads that live now, finer than a tick: for what takes a few milliseconds. */
export function threadsCpuMs(pid: number): number {
  const used = (thread: string) => {
    try {
      return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')[0])
    } catch {
      return 0 // it has ended since the folder was read
    }
  }
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + used(thread), 0) / 1e6
}

/**
 * Processor time of a process, of its children that live, and of those that it has seen end: of all of PostgreSQL by its
 * postmaster.
 */
export function familyCpuMs(pid: number): number {
  const living = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const children = living.filter((child) => statOf(child)?.parent === pid)
  const times = [String(pid), ...children].map((one) => statOf(one))
  return (
    times.reduce((sum, use) => sum + (use?.ticks ?? 0), 0) * TICK_MS + (statOf(String(pid))?.ofEnded ?? 0) * TICK_MS
  )
}

/** Undefined when it has ended meanwhile. */
function statOf(pid: string): { parent: number; ticks: number; ofEnded: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [user = 0, system = 0, userOfEnded = 0, systemOfEnded = 0] = fields.slice(11, 15)
    return { parent: fields[1] ?? 0, ticks: user + system, ofEnded: userOfEnded + systemOfEnded }
  } catch {
    return undefined
  }
}

/** Resident memory, MB of 1024 kB: all of it, and what of it is not pages of files such as the program's own. */
export function residentMb(pid: number): { all: number; anonymous: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  const mbOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024
  return { all: mbOf('VmRSS'), anonymous: mbOf('RssAnon') }
}
