import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from './arguments.ts'
import type { Chance } from './chance.ts'
import type { Scratch } from './scratch.ts'
import { pause } from './wait.ts'

const SIZE = '96m'
const CHUNK_SIZES = [1024 * 1024, 4096, 1]

export interface Disk {
  dataDir: string
  /** Starts filling the disk now and then. */
  begin(): void
  /** Ends with room on the disk. @returns how often it was full */
  finish(): Promise<number>
}

/**
 * A small file system for the data directory and a file beside it that takes all room at random.
 * @param diskDir a folder on a small file system, null for a tmpfs of our own
 * @throws UsageError when no tmpfs can be mounted
 */
export function openDisk(diskDir: string | null, chance: Chance, scratch: Scratch): Disk {
  const root = diskDir === null ? mountTmpfs(scratch) : folderIn(diskDir, scratch)
  const ballast = join(root, 'ballast')
  let filled = 0
  let over = false
  let working: Promise<void> = Promise.resolve()

  async function work(): Promise<void> {
    while (!over) {
      await pause(chance.between(300, 3000))
      fill(ballast)
      filled++
      await pause(chance.between(100, 1500))
      rmSync(ballast, { force: true })
    }
  }

  return {
    dataDir: join(root, 'data'),
    begin() {
      working = work()
    },
    async finish() {
      over = true
      await working
      return filled
    },
  }
}

function mountTmpfs(scratch: Scratch): string {
  const root = join(scratch.dir, 'disk')
  mkdirSync(root)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'fiskd-chaos', root], { encoding: 'utf8' })
  if (mounted.status !== 0) {
    const why = mounted.error?.message ?? mounted.stderr.trim()
    throw new UsageError(`--disk needs root to mount a tmpfs (${why}): or give --disk-dir, a folder on a small disk`)
  }
  // Lazily: the daemon may have been killed a moment ago and not be gone yet.
  scratch.atTheEnd(() => void spawnSync('umount', ['-l', root]))
  return root
}

function folderIn(diskDir: string, scratch: Scratch): string {
  const root = mkdtempSync(join(diskDir, 'fiskd-chaos-'))
  scratch.atTheEnd(() => rmSync(root, { recursive: true, force: true }))
  return root
}

/** Writes until not one more byte fits. */
function fill(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (const size of CHUNK_SIZES) while (fits(file, Buffer.alloc(size, 1)));
  } finally {
    closeSync(file)
  }
}

function fits(file: number, bytes: Buffer): boolean {
  try {
    return writeSync(file, bytes) === bytes.length
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return false
    throw error
  }
}
