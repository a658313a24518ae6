import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const SRC = join(ROOT, 'src')

/** Who may import whom. `fiscal ports` is the folder `fiscal/ports`: interfaces and plain types. */
const MAY_IMPORT: Record<string, string[]> = {
  domain: [],
  fiscal: ['domain'],
  x509: [],
  cis: ['domain', 'fiscal ports', 'x509'],
  certificates: ['domain', 'fiscal ports', 'x509'],
  store: ['domain', 'fiscal ports'],
  receipts: ['domain', 'fiscal ports', 'fonts'],
  sync: ['domain', 'fiscal ports', 'x509'],
  alerts: ['domain', 'fiscal ports'],
  contract: ['domain'],
  api: ['domain', 'fiscal', 'contract'],
  reports: ['domain', 'fiscal'],
  dashboard: ['domain', 'fiscal', 'contract', 'reports'],
  'receipt-pages': ['domain', 'fiscal'],
  cli: ['domain', 'contract'],
  fonts: [],
  simulator: ['fonts'],
  'firmware-trial': ['domain', 'contract', 'x509', 'simulator'],
  daemon: [
    'domain',
    'fiscal',
    'cis',
    'certificates',
    'store',
    'receipts',
    'sync',
    'alerts',
    'reports',
    'contract',
    'api',
    'dashboard',
    'receipt-pages',
    'x509',
  ],
}

interface Import {
  from: string
  to: string
  specifier: string
}

function importsOf(file: string): Import[] {
  const source = readFileSync(join(SRC, file), 'utf8')
  const specifiers = [...source.matchAll(/(?:\bfrom\s+|\bimport\s+|\bimport\(\s*)'([^']+)'/g)].map(
    (match) => match[1] ?? '',
  )
  return specifiers.map((specifier) => ({
    from: file,
    to: specifier.startsWith('.') ? relative(SRC, resolve(dirname(join(SRC, file)), specifier)) : specifier,
    specifier,
  }))
}

const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
const imports = files.flatMap(importsOf)
const roomOf = (file: string) => file.split('/')[0] ?? ''

test('the walls stand: a room imports only the rooms below it', () => {
  const broken = imports
    .filter(({ specifier, from, to }) => specifier.startsWith('.') && roomOf(from) !== roomOf(to))
    .filter(({ from, to }) => {
      const allowed = MAY_IMPORT[roomOf(from)] ?? []
      return !allowed.includes(roomOf(to)) && !(allowed.includes('fiscal ports') && to.startsWith('fiscal/ports/'))
    })
  expect(broken.map(({ from, to }) => `${from} -> ${to}`)).toEqual([])
})

test('every folder of src is a room with rules, and no file stands outside a room', () => {
  expect(files.filter((file) => !(roomOf(file) in MAY_IMPORT) || !file.includes('/'))).toEqual([])
})

test('the domain needs no package, and of node only hashing', () => {
  const foreign = imports.filter(({ from, specifier }) => roomOf(from) === 'domain' && !specifier.startsWith('.'))
  expect([...new Set(foreign.map(({ specifier }) => specifier))]).toEqual(['node:crypto'])
})

test('the contract needs no package but the one that its schemas are written with', () => {
  const foreign = imports.filter(({ from, specifier }) => roomOf(from) === 'contract' && !specifier.startsWith('.'))
  expect([...new Set(foreign.map(({ specifier }) => specifier))]).toEqual(['typebox'])
})

test('only files of bin start the daemon and the command', () => {
  const starters = ['fiskd.js', 'fisk.js'].map((file) => readFileSync(join(ROOT, 'bin', file), 'utf8'))
  expect(starters.every((text) => text.split('\n').length <= 12)).toBe(true)
  expect(imports.filter(({ to }) => to === 'daemon/main.ts' || to === 'cli/main.ts')).toEqual([])
})

test('no file imports itself by a detour', () => {
  const next = new Map(files.map((file) => [file, importsOf(file).map(({ to }) => to)]))
  const finished = new Set<string>()
  const circles: string[] = []
  const visit = (file: string, path: string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
    if (finished.has(file) || path.includes(file)) return
    for (const to of next.get(file) ?? []) if (next.has(to)) visit(to, [...path, file])
    finished.add(file)
  }
  for (const file of files) visit(file, [])
  expect(circles).toEqual([])
})
