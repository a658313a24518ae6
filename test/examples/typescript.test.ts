import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inProject } from '../support/stand-in.ts'
import { testSample } from './support/sample-tests.ts'

testSample('typescript')

test('it names the versions of its packages that it is tested with', () => {
  const manifest = (path: string) => JSON.parse(readFileSync(inProject(path), 'utf8'))
  const { dependencies, devDependencies } = manifest('examples/typescript/package.json')
  expect(manifest('package.json').devDependencies).toMatchObject({ ...dependencies, ...devDependencies })
})
