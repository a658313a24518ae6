import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundle } from '../../scripts/bundle.ts'
import { EXTERNALS } from '../../scripts/externals.ts'
import { closureOf, copyModule } from '../../scripts/package/modules.ts'
import { requirementsOf } from '../../scripts/package/requirements.ts'
import { tempDir } from '../support/temp-dir.ts'

test('the bundle leaves nothing outside but what the package brings along', async () => {
  const { outputs } = await bundle(join(await tempDir(), 'dist'))
  const outside = Object.values(outputs).flatMap(({ imports }) => imports.filter(({ external }) => external))
  const packages = new Set(outside.map(({ path }) => path).filter((path) => !/^node:/.test(path)))
  const ours = [...packages].filter((path) => !builtinModules.includes(path.split('/')[0] ?? ''))
  expect(ours.filter((path) => !EXTERNALS.some((name) => path === name || path.startsWith(`${name}/`)))).toEqual([])
})

test('a gateway never loads the driver of PostgreSQL', async () => {
  const dist = join(await tempDir(), 'dist')
  const { outputs } = await bundle(dist)
  const reached = new Set<string>()
  const visit = (path: string): void => {
    if (reached.has(path)) return
    reached.add(path)
    for (const { path: next, kind } of outputs[path]?.imports ?? []) if (kind === 'import-statement') visit(next)
  }
  const main = Object.keys(outputs).find((path) => path.endsWith('daemon/main.js')) ?? ''
  visit(main)
  expect(reached).toContain('better-sqlite3')
  expect(reached).not.toContain('pg')
  expect(Object.values(outputs).some(({ imports }) => imports.some(({ path }) => path === 'pg'))).toBe(true)
})

test('what is loaded by name is brought along', () => {
  const receipts = join(import.meta.dirname, '../../src/receipts')
  const sources = readdirSync(receipts).map((file) => readFileSync(join(receipts, file), 'utf8'))
  const loaded = sources.flatMap((text) => [...text.matchAll(/\bload(?:<.*>)?\('([^']+)'\)/g)].map(([, name]) => name))
  expect(loaded.length).toBeGreaterThan(0)
  expect(loaded.filter((name) => !EXTERNALS.includes(String(name)))).toEqual([])
})

test('every package comes with what it needs, and without its sources', async () => {
  const folders = closureOf(EXTERNALS)
  expect(folders).toContain('node_modules/bindings')
  const to = await tempDir()
  copyModule('node_modules/better-sqlite3', to)
  const copied = readdirSync(join(to, 'node_modules/better-sqlite3'))
  expect(copied).toContain('lib')
  expect(copied.filter((name) => name === 'deps' || name === 'build')).toEqual([])
})

test('what compiled parts need of Debian is read off them', () => {
  const driver = join(import.meta.dirname, '../../node_modules/better-sqlite3/build/Release/better_sqlite3.node')
  expect(requirementsOf([driver]).join()).toMatch(/^libc6 \(>= 2\.\d+\).*libstdc\+\+6 \(>= \d+\)$/)
})
