import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../run.ts'
import { put } from './put.ts'

/** Where packages lie in a repository; all versions that ever were, for the way back to one. */
const POOL = 'pool/main/f/fiskd'

/**
 * Adds packages to a repository, unseen until an index names them.
 * @throws Error before any is added, when one is there already with other content
 */
export function addToPool(repository: string, debs: readonly string[]): void {
  const all = debs.map((deb) => ({ deb, path: join(repository, POOL, nameOf(deb)) }))
  const added = all.filter(({ path }) => !existsSync(path))
  for (const { deb, path } of all) {
    if (!added.some((one) => one.path === path) && !readFileSync(deb).equals(readFileSync(path))) {
      // Machines that have it would keep what they have, and others get something else of the same name.
      throw new Error(`${path} is there already, with other content: give what is new a version of its own`)
    }
  }
  for (const { deb, path } of added) put(deb, path)
}

/** What it is called in a repository, whatever its file is called. */
const nameOf = (deb: string) =>
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg's own fields
  run('dpkg-deb', ['--show', '--showformat', '${Package}_${Version}_${Architecture}.deb', deb])
