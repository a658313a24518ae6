import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from '../../scripts/bundle.ts'
import { atTheEndOfFile } from './file-end.ts'
import { makeTempDir } from './temp-dir.ts'

const ROOT = join(import.meta.dirname, '../..')

/** `npm test` builds before it tests; for whoever runs a file alone and has no build, one is made. @returns its folder */
export async function builtDist(): Promise<string> {
  const dist = join(ROOT, 'dist')
  if (existsSync(join(dist, 'daemon/main.js'))) return dist
  const dir = await makeTempDir(atTheEndOfFile)
  for (const name of ['node_modules', 'package.json']) symlinkSync(join(ROOT, name), join(dir, name))
  await bundle(join(dir, 'dist'))
  return join(dir, 'dist')
}
