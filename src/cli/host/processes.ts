import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { clean, shorten } from '../text/columns.ts'
import { namesIn, textOf } from './system.ts'

export type Process = ReturnType<typeof processOf>
export type Holders = ReturnType<typeof holdersOf>

/** @param isWanted whether a file descriptor, a link below `/proc/PID/fd`, is one of those that are looked for */
export function holdersOf(proc: string, isWanted: (link: string) => boolean) {
  const holders: Process[] = []
  // Some processes keep their descriptors to themselves.
  let unseen = false
  for (const pid of namesIn(proc, /^\d+$/)) {
    try {
      const fds = readdirSync(join(proc, pid, 'fd'))
      if (fds.some((fd) => isWanted(join(proc, pid, 'fd', fd)))) holders.push(processOf(pid, proc))
    } catch (error) {
      // One that has ended meanwhile holds nothing.
      unseen ||= !['ENOENT', 'ESRCH'].includes(String((error as NodeJS.ErrnoException).code))
    }
  }
  return { holders, unseen }
}

/** A process in words: `process 812 (nginx: master process)`. */
export const spoken = ({ pid, command }: Process) =>
  command === ''
    ? { en: `process ${pid} (of an unknown program)`, hr: `proces ${pid} (nepoznat program)` }
    : { en: `process ${pid} (${command})`, hr: `proces ${pid} (${command})` }

/** What ends a process for good: one of a service comes back unless the service is stopped. */
export function ending({ pid, service, isOurs }: Process): string {
  return service === null ? `${isOurs ? '' : 'sudo '}kill ${pid}` : `sudo systemctl disable --now ${service}`
}

function processOf(pid: string, proc: string) {
  const parent = /^PPid:\s+(\d+)/m.exec(textOf(join(proc, pid, 'status')))?.[1] ?? ''
  // Empty where the kernel does not tell it.
  const command = shorten(clean(textOf(join(proc, pid, 'cmdline')).replaceAll('\0', ' ')).trim(), 60)
  // The service that systemd runs it as; null for what a person has started.
  const service = /\/([\w@.\\-]+)\.service$/m.exec(textOf(join(proc, pid, 'cgroup')))?.[1] ?? null
  const isOurs = statSync(join(proc, pid), { throwIfNoEntry: false })?.uid === process.getuid?.()
  return { pid, parent, command, service, isOurs }
}
