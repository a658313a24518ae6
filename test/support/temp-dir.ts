import { existsSync, statfsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder of the running test's own, removed when the test is over. */
export function tempDir(): Promise<string> {
  return makeTempDir(onTestFinished)
}

/**
 * Where tests have their files: in memory where there is room, for thousands of daemons and hundreds of databases would wait
 * for the disk to have written, and what is about the disk mounts one of its own.
 */
export const IN_MEMORY = hasRoom('/dev/shm') ? '/dev/shm' : tmpdir()

function hasRoom(place: string): boolean {
  if (!existsSync(place)) return false
  const { bavail, bsize } = statfsSync(place)
  return bavail * bsize > 2 ** 30
}

/** The same where it would outlast the machine's end: systemd makes no key of a host in a place that does not. */
export function tempDirOnDisk(): Promise<string> {
  return makeTempDir(onTestFinished, tmpdir())
}

/** A folder that is removed when `atTheEnd` says so. */
export async function makeTempDir(
  atTheEnd: (close: () => Promise<void>) => void,
  place: string = IN_MEMORY,
): Promise<string> {
  const dir = await mkdtemp(join(place, 'fiskd-test-'))
  atTheEnd(() => rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }))
  return dir
}
