import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { bundle } from '../../scripts/bundle.ts'
import { EXTERNALS } from '../../scripts/externals.ts'
import { closureOf, copyModule } from '../../scripts/package/modules.ts'
import { requirementsOf } from '../../scripts/package/requirements.ts'
import { tempDir } from '../support/temp-dir.ts'

const USED_BY_ALL = ['better-sqlite3', 'libxml2-wasm', 'undici', 'src/fiscal', 'src/cis']
const USED_BY_FEW = [
  ...['pg', '@fastify/swagger', '@fastify/swagger-ui', 'node-forge', 'nodemailer', 'otpauth'],
  ...['src/dashboard/overview', 'src/reports', 'src/store/postgres'],
]
const CHILD_PROCESSES = ['check-database.js', 'copy-database.js', 'find-contradictions.js', 'keep-checkpointed.js']

test('the bundle leaves nothing outside but what the package brings along', async () => {
  const { outputs } = await bundle(join(await tempDir(), 'dist'))
  const outside = Object.values(outputs).flatMap(({ imports }) => imports.filter(({ external }) => external))
  const packages = new Set(outside.map(({ path }) => path).filter((path) => !path.startsWith('node:')))
  const ours = [...packages].filter((path) => !builtinModules.includes(path.split('/')[0] ?? ''))
  expect(ours.filter((path) => !EXTERNALS.some((name) => path === name || path.startsWith(`${name}/`)))).toEqual([])
})

test('what most kiosks never use is not read at a start', async () => {
  const { outputs } = await bundle(join(await tempDir(), 'dist'))
  const reached = new Set<string>()
  const visit = (path: string): void => {
    if (reached.has(path)) return
    reached.add(path)
    const { imports = [], inputs = {} } = outputs[path] ?? {}
    for (const input of Object.keys(inputs)) reached.add(input)
    for (const { path: next, kind } of imports) if (kind === 'import-statement') visit(next)
  }
  visit(Object.keys(outputs).find((path) => outputs[path]?.entryPoint === 'src/daemon/program.ts') ?? '')
  const of = (names: string[], paths = [...reached]) =>
    names.filter((name) => paths.some((path) => `/${path}/`.includes(`/${name}/`)))
  expect(of(USED_BY_ALL)).toEqual(USED_BY_ALL)
  expect(of(USED_BY_FEW)).toEqual([])
  const all = Object.values(outputs).flatMap(({ inputs, imports }) => [
    ...Object.keys(inputs),
    ...imports.map(({ path }) => path),
  ])
  expect(of(USED_BY_FEW, all)).toEqual(USED_BY_FEW)
})

test('a child process of the store loads the SQLite driver and its own few files: it must begin at once and stay small', async () => {
  const dist = join(await tempDir(), 'dist')
  const { outputs } = await bundle(dist)
  const loadedBy = (path: string, loaded = new Set<string>()): Set<string> => {
    loaded.add(path)
    const { imports = [], inputs = {} } = outputs[path] ?? {}
    for (const input of Object.keys(inputs)) loaded.add(input)
    for (const { path: next } of imports) if (!loaded.has(next)) loadedBy(next, loaded)
    return loaded
  }
  const programs = readdirSync(join(dist, 'store'))
  expect(programs).toEqual(CHILD_PROCESSES)
  for (const program of programs) {
    const paths = [...loadedBy(Object.keys(outputs).find((path) => path.endsWith(`dist/store/${program}`)) ?? '')]
    const packages = paths.filter((path) => !path.includes('/') && !builtinModules.includes(path.replace('node:', '')))
    expect(packages).toEqual(['better-sqlite3'])
    const sources = paths.filter((path) => path.endsWith('.ts'))
    expect(sources.length).toBeGreaterThan(1)
    // One of them adds up what was sold, by the rules of the domain.
    const own =
      /^src\/(domain\/|store\/sqlite\/(child-processes\/|quick-check-|turnover-|with-database)|store\/shared\/(figures\/turnover-|tables))/
    expect(sources.filter((path) => !own.test(path))).toEqual([])
  }
})

test('what is loaded by name is brought along', () => {
  const receipts = join(import.meta.dirname, '../../src/receipts')
  const sources = readdirSync(receipts, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(join(receipts, file), 'utf8'))
  const loaded = sources.flatMap((text) => [...text.matchAll(/\bload(?:<.*>)?\('([^']+)'\)/g)].map(([, name]) => name))
  expect(loaded.length).toBeGreaterThan(0)
  expect(loaded.filter((name) => !EXTERNALS.includes(String(name)))).toEqual([])
})

test('every package comes with what it needs, and without its sources', async () => {
  const folders = closureOf(EXTERNALS)
  expect(folders).toContain('node_modules/node-gyp-build')
  const to = await tempDir()
  copyModule('node_modules/better-sqlite3', to)
  const copied = readdirSync(join(to, 'node_modules/better-sqlite3'))
  expect(copied).toContain('lib')
  expect(copied.filter((name) => name === 'deps' || name === 'prebuilds')).toEqual([])
})

test('what compiled parts need of Debian is read off them', () => {
  const driver = join(import.meta.dirname, '../../node_modules/better-sqlite3/prebuilds/linux-x64.node')
  expect(requirementsOf([driver]).join()).toMatch(/^libc6 \(>= 2\.\d+\).*libstdc\+\+6 \(>= \d+\)$/)
})
