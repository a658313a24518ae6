import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')

interface Locked {
  packages: Record<string, { hasInstallScript?: boolean; dev?: boolean; optional?: boolean }>
}

test('the command that installs by npm runs no script, so that npm asks about none', () => {
  const page = readFileSync(join(ROOT, 'docs/technician.md'), 'utf8')
  const commands = [...page.matchAll(/npm install -g[^`]*/g)].map(([command]) => command)
  expect(commands).toHaveLength(1)
  for (const command of commands) expect(command).toContain('--ignore-scripts')
})

test('what is installed needs none of the scripts: each package that has one brings what it would build', () => {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Locked
  const scripted = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript && !packages[path]?.dev)
  const built = scripted.filter((path) => path !== 'node_modules/@scarf/scarf')
  expect(built).toEqual(['node_modules/@serialport/bindings-cpp'])
  for (const platform of ['linux-x64', 'linux-arm64']) {
    for (const path of built)
      expect(existsSync(join(ROOT, path, 'prebuilds', platform)), `${path} ${platform}`).toBe(true)
  }
})
