import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inProject } from '../support/stand-in.ts'

/** `npm install` writes these entries anew, without what is added to them here: put it back, by hand. */
const entryOf = (name: string) => {
  const { packages } = JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8'))
  return packages[`node_modules/${name}`]
}

test('npm ci compiles no driver: the lock says that its binding.gyp is not for npm', () => {
  expect(entryOf('better-sqlite3')).toHaveProperty('gypfile', false)
})

test('npm ci on Node 20 warns of no driver: a Node that it runs on is brought along', () => {
  expect(entryOf('better-sqlite3')).not.toHaveProperty('engines')
})

test.each(['x64', 'arm64'])('npm ci brings a Node along only where the own one is too old, on %s', (architecture) => {
  // Version 10 of Node's interface for native modules came with 22.14 and 23.6.
  const needsOne = { node: '<22.14.0 || >=23.0.0 <23.6.0' }
  expect(entryOf(`node-linux-${architecture}`)).toMatchObject({ engines: needsOne, optional: true })
})

test('npm ci asks about no script of a package: package.json allows or denies each', () => {
  const { packages } = JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8'))
  const scripted = Object.entries<{ hasInstallScript?: boolean }>(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''))
  const { allowScripts } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'))
  expect([...new Set(scripted)].sort()).toEqual(Object.keys(allowScripts).sort())
})

test('every package is pinned by its integrity', () => {
  const { packages } = JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8'))
  const unpinned = Object.entries<{ integrity?: string }>(packages).filter(
    ([path, { integrity }]) => path && !integrity,
  )
  expect(unpinned.map(([path]) => path)).toEqual([])
})
