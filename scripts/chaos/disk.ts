import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from './arguments.ts'
import type { Chance } from './chance.ts'
import { type Disturbance, disturbance } from './disturbance.ts'
import type { Scratch } from './scratch.ts'
import { pause } from './wait.ts'

const SIZE = '96m'
const CHUNK_SIZES = [1024 * 1024, 4096, 1]

export interface Disk extends Disturbance {
  dataDir: string
}

/**
 * A small file system for the data directory, and a file beside it that takes all room now and then; there is room at the end.
 * @throws UsageError when no tmpfs can be mounted
 */
export function openDisk(chance: Chance, scratch: Scratch): Disk {
  const root = mountTmpfs(scratch)
  const ballast = join(root, 'ballast')
  const filling = disturbance(async () => {
    await pause(chance.between(300, 3000))
    fill(ballast)
    await pause(chance.between(100, 1500))
    rmSync(ballast, { force: true })
  })
  return { ...filling, dataDir: join(root, 'data') }
}

function mountTmpfs(scratch: Scratch): string {
  const root = join(scratch.dir, 'disk')
  mkdirSync(root)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'fiskd-chaos', root], { encoding: 'utf8' })
  if (mounted.status !== 0) {
    const why = mounted.error?.message ?? mounted.stderr.trim()
    throw new UsageError(`--disk needs root to mount a tmpfs: ${why}`)
  }
  // Lazily: the daemon may have been killed a moment ago and not be gone yet.
  scratch.atTheEnd(() => void spawnSync('umount', ['-l', root]))
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
