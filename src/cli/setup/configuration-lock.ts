import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { attempt } from '../../domain/attempt.ts'
import { clash } from '../failure.ts'

/** @returns what gives the lock back @throws Failure naming the process that has it; Error of the operating system */
export function lockConfiguration(path: string): () => void {
  const lock = `${path}.lock`
  if (!taken(lock)) {
    const holder = attempt(() => Number(readFileSync(lock, 'utf8')), 0)
    if (isAlive(holder)) throw held(path, lock, holder)
    // A crash or a power cut left it.
    rmSync(lock, { force: true })
    if (!taken(lock)) throw held(path, lock, holder)
  }
  return () => rmSync(lock, { force: true })
}

function taken(lock: string): boolean {
  try {
    writeFileSync(lock, `${process.pid}`, { flag: 'wx', mode: 0o644 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function held(path: string, lock: string, holder: number) {
  return clash(
    'configuration',
    `Process ${holder} is changing ${path} at this moment.`,
    `Wait until it has ended. If it is no fisk init (ps ${holder}): sudo rm ${lock}`,
  )
}
