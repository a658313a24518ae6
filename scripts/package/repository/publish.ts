import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { writeIndexes } from './indexes.ts'
import { addToPool } from './pool.ts'
import { put } from './put.ts'

export interface Publication {
  debs: readonly string[]
  /** Fingerprints of the keys that sign. */
  keys: readonly string[]
  /** Where machines reach the repository; without it what was said before, or else its folder. */
  url?: string | undefined
}

/**
 * Makes a signed repository of packages in a folder, or adds them to the one that is there. Who stops it in the middle
 * leaves what was there before, or what is new, to those who read it meanwhile; to run it again completes it.
 * @throws Error when a package is there already with other content: then nothing is changed
 */
export function publish(repository: string, { debs, keys, url = addressOf(repository) }: Publication): void {
  const folder = mkdtempSync(join(tmpdir(), 'fiskd-repository-'))
  try {
    addToPool(repository, debs)
    for (const path of writeIndexes(repository, folder, { keys, url })) put(join(folder, path), join(repository, path))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function addressOf(repository: string): string {
  const sources = join(repository, 'fiskd.sources')
  const said = existsSync(sources) ? /^URIs: (.+)$/m.exec(readFileSync(sources, 'utf8')) : null
  return said?.[1] ?? `file:${resolve(repository)}`
}
