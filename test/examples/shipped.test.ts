import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { inProject } from '../support/stand-in.ts'

const SAMPLES = [
  'README.md',
  'c/Makefile',
  'c/vending.c',
  'python/vending.py',
  'shell/vending.sh',
  'typescript/package.json',
  'typescript/tsconfig.json',
  'typescript/vending.ts',
]

test('the npm package ships the samples, and nothing that building them leaves behind', () => {
  const options = { cwd: inProject('.'), encoding: 'utf8', maxBuffer: 2 ** 26 } as const
  const [{ files }] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], options))
  const shipped = files.map(({ path }: { path: string }) => path).filter((path: string) => path.startsWith('examples/'))
  expect(shipped.sort()).toEqual(SAMPLES.map((path) => `examples/${path}`))
})
