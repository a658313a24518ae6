import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

const STRACE = '/usr/bin/strace'
const ATTACH_MS = 5000

/** @returns how often a process waits for its disk while the work is done; undefined without strace */
export async function syncsDuring(
  pid: number,
  notes: string,
  work: () => Promise<unknown>,
): Promise<number | undefined> {
  if (!existsSync(STRACE)) return undefined
  const tracer = spawn(STRACE, ['-f', '-e', 'trace=fsync,fdatasync,sync_file_range', '-o', notes, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(tracer, 'exit')
  try {
    // It says so once it sees every thread.
    await Promise.race([once(tracer.stderr, 'data'), ended, setTimeout(ATTACH_MS)])
    if (tracer.exitCode !== null) return undefined
    await work()
  } finally {
    tracer.kill('SIGINT')
    await ended
  }
  // A call that another thread cut in two has a second line, which says "resumed".
  return readFileSync(notes, 'latin1').match(/^\d+ +(?:fsync|fdatasync|sync_file_range)\(/gm)?.length ?? 0
}
