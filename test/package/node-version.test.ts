import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const FISKD = join(import.meta.dirname, '../../bin/fiskd.js')

/** Runs the daemon's shim on a Node that says to be another one. */
function startOn(version: string) {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  const args = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, FISKD, '--help']
  return spawnSync(process.execPath, args, { encoding: 'utf8' })
}

test.each(['18.20.4', '20.18.9', '24.19.0', '26.1.0'])(
  'on Node %s it does not start, and says which to use',
  (version) => {
    const { status, stderr } = startOn(version)
    expect(status).toBe(2)
    expect(stderr).toContain(`fiskd does not run on Node ${version}: use 20.19 to 24.18`)
  },
)

test.each(['20.19.0', '22.23.3', '24.18.1'])('on Node %s it starts', (version) => {
  expect(startOn(version).stderr).not.toContain('does not run on Node')
})

test('the engine knows the settings that the daemon gives it', () => {
  const main = readFileSync(join(import.meta.dirname, '../../src/daemon/main.ts'), 'utf8')
  const settings = [...main.matchAll(/setFlagsFromString\('(--[a-z-]+)=/g)].map(([, name]) => String(name))
  expect(settings).toHaveLength(2)
  const { stdout } = spawnSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })
  expect(settings.filter((name) => !stdout.includes(`  ${name} (`))).toEqual([])
})
