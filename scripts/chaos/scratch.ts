import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder for one run, and everything that must be gone when the run ends, however it ends. */
export interface Scratch {
  dir: string
  /** Synchronous, for nothing else runs when a process exits; the last one given comes first. */
  atTheEnd(step: () => void): void
  close(): void
}

/** @param keep leaves the folder where it is */
export function openScratch(keep: boolean): Scratch {
  const scratch = scratchIn(mkdtempSync(join(tmpdir(), 'fiskd-chaos-')))
  const remove = () => rmSync(scratch.dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  if (!keep) scratch.atTheEnd(remove)
  return scratch
}

/** A folder in it for one case of several; what must be gone at the end of the case is gone with the run. */
export function folderOf(scratch: Scratch, name: string): Scratch {
  const dir = join(scratch.dir, name)
  mkdirSync(dir)
  return { ...scratch, dir }
}

/** For a process that works in the folder of the one that started it. */
export function scratchIn(dir: string): Scratch {
  const steps: (() => void)[] = []
  const close = () => {
    while (steps.length > 0) steps.pop()?.()
  }
  process.once('exit', close)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))
  return { dir, atTheEnd: (step) => void steps.push(step), close }
}
