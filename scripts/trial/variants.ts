import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Change, changeBuild } from '../chaos/change-build.ts'
import { run } from '../package/run.ts'

/**
 * Makes a package of another version out of one, as a later release might be. A version is made once.
 * @param changes in its bundle
 * @throws as `changeBuild`
 */
export function variantOf(deb: string, version: string, changes: readonly Change[], out: string): string {
  const file = join(out, `fiskd_${version}_variant.deb`)
  if (existsSync(file)) return file
  const dir = mkdtempSync(join(tmpdir(), 'fiskd-variant-'))
  try {
    run('dpkg-deb', ['-R', deb, dir])
    change(join(dir, 'DEBIAN/control'), [/^Version: .*$/m, `Version: ${version}`])
    change(join(dir, 'usr/lib/fiskd/package.json'), [/"version": ".*"/, `"version": "${version}"`])
    changeBuild(join(dir, 'usr/lib/fiskd/dist'), changes)
    run('dpkg-deb', ['--root-owner-group', '-Znone', '--build', dir, file])
    return file
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function change(file: string, [pattern, instead]: Change): void {
  const before = readFileSync(file, 'utf8')
  const after = before.replace(pattern, instead)
  if (after === before) throw new Error(`${file} has nothing like ${pattern}`)
  writeFileSync(file, after)
}
