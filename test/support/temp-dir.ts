import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder of the running test's own, removed when the test is over. */
export function tempDir(): Promise<string> {
  return makeTempDir(onTestFinished)
}

/** A folder that is removed when `atTheEnd` says so. */
export async function makeTempDir(atTheEnd: (close: () => Promise<void>) => void): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'fiskd-test-'))
  atTheEnd(() => rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }))
  return dir
}
