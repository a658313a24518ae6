import { copyFileSync, cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { changeBuild, MIGRATIONS } from '../../scripts/chaos/change-build.ts'
import { DIST } from './programs.ts'
import { tempDir } from './temp-dir.ts'

export const LATER_SCHEMA = '999-later'

/**
 * The program of a later release, which has one more change of the schema.
 * @param up what the change does with `db`, as JavaScript
 * @returns the path of `fiskd`
 */
export async function laterRelease(up = 'await db.schema.createTable("later").addColumn("id", "text").execute()') {
  const folder = await tempDir()
  const dist = join(folder, 'dist')
  cpSync(DIST, dist, { recursive: true })
  const project = join(import.meta.dirname, '../..')
  copyFileSync(join(project, 'package.json'), join(folder, 'package.json'))
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'))
  changeBuild(dist, [[MIGRATIONS, `$1, "${LATER_SCHEMA}": { async up(db) { ${up}; } } }`]])
  return join(dist, 'daemon/main.js')
}
