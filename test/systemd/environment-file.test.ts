import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readConfig, VARIABLES } from '../../src/daemon/config.ts'
import { inProject } from '../support/stand-in.ts'

const lines = readFileSync(inProject('systemd/fiskd.env'), 'utf8').split('\n')
const shown = lines.flatMap((line) => {
  const match = /^#([A-Z][A-Z0-9_]+)=(.*)$/.exec(line)
  return match ? [[String(match[1]), String(match[2])] as const] : []
})

test('the environment file shows every variable of the daemon, once, and changes nothing', () => {
  expect(shown.map(([name]) => name).sort()).toEqual([...VARIABLES].sort())
  expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
})

test('what the environment file shows is the default of each variable', () => {
  const installed = { FISKD_DATA_DIR: '/var/lib/fiskd', FISKD_SOCKET: '/run/fiskd/fiskd.sock' }
  // What is set is told apart from what is not.
  const { listenConfigured: _, trustGiven: _a, ...said } = readConfig(Object.fromEntries(shown))
  const { listenConfigured: __, trustGiven: _b, ...meant } = readConfig(installed)
  expect(said).toEqual(meant)
})
