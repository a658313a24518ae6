import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../package/run.ts'

/** What is changed in the bundle of a package: a text that stands there once, and what it becomes. */
export interface Patch {
  old: RegExp
  /** `$&` is the text that was there. */
  new: string
}

/**
 * Makes a package of another version out of one, as a later release might be. A version is made once.
 * @throws Error when a patch does not fit: a variant that is not one proves nothing
 */
export function variantOf(deb: string, version: string, patches: readonly Patch[], out: string): string {
  const file = join(out, `fiskd_${version}_variant.deb`)
  if (existsSync(file)) return file
  const dir = mkdtempSync(join(tmpdir(), 'fiskd-variant-'))
  try {
    run('dpkg-deb', ['-R', deb, dir])
    change(join(dir, 'DEBIAN/control'), { old: /^Version: .*$/m, new: `Version: ${version}` })
    change(join(dir, 'usr/lib/fiskd/package.json'), { old: /"version": ".*"/, new: `"version": "${version}"` })
    for (const patch of patches) change(bundleWith(patch.old, join(dir, 'usr/lib/fiskd/dist')), patch)
    run('dpkg-deb', ['--root-owner-group', '-Znone', '--build', dir, file])
    return file
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function bundleWith(text: RegExp, dist: string): string {
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  const found = files.filter((name) => readFileSync(join(dist, name), 'utf8').match(text) !== null)
  if (found.length !== 1 || !found[0]) throw new Error(`${text} stands in ${found.length} files of the bundle`)
  return join(dist, found[0])
}

function change(file: string, { old, new: now }: Patch): void {
  const before = readFileSync(file, 'utf8')
  const after = before.replace(old, now)
  if (after === before) throw new Error(`${file} has nothing like ${old}`)
  writeFileSync(file, after)
}
