import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readConfig, VARIABLES } from '../../src/daemon/config.ts'
import { inProject } from '../support/stand-in.ts'

const text = readFileSync(inProject('docs/configuration.md'), 'utf8')
const [, section = ''] = /^## Variables\n([\s\S]*?)^## /m.exec(text) ?? []
const rows = [...section.matchAll(/^\| `([A-Z0-9_]+)` \| (.+?) \| (.+) \|$/gm)].map(([, name, shown, meaning]) => ({
  name: String(name),
  /** Undefined when the table says that there is none. */
  value: shown === 'unset' ? undefined : /^`(.*)`$/.exec(String(shown))?.[1],
  shown: String(shown),
  meaning: String(meaning),
}))

test('the table of variables has each variable of the daemon, once, with its meaning', () => {
  expect(rows.map(({ name }) => name).sort()).toEqual([...VARIABLES].sort())
  expect(
    rows.filter(({ shown, value, meaning }) => meaning === '' || (value === undefined && shown !== 'unset')),
  ).toEqual([])
})

test('its defaults are those of the daemon where the package is installed', () => {
  const set = rows.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))
  const { listenConfigured: _, trustGiven: _given, ...said } = readConfig(Object.fromEntries(set))
  const installed = { FISKD_DATA_DIR: '/var/lib/fiskd', FISKD_SOCKET: '/run/fiskd/fiskd.sock' }
  const { listenConfigured: __, trustGiven: __given, ...meant } = readConfig(installed)
  expect(said).toEqual(meant)
})

test('it leaves unset what the environment file leaves empty', () => {
  const template = readFileSync(inProject('systemd/fiskd.env'), 'utf8')
  const empty = [...template.matchAll(/^#([A-Z0-9_]+)=$/gm)].map(([, name]) => String(name))
  expect(rows.flatMap(({ name, value }) => (value === undefined ? [name] : [])).sort()).toEqual(empty.sort())
})
