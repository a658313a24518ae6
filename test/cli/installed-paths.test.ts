import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { socketPath } from '../../src/cli/io.ts'
import { withInstalledPaths } from '../../src/cli/machine/installed-paths.ts'
import { tempDir } from '../support/temp-dir.ts'

/** The admin socket that `fisk` asks, with this text in the environment file of the service. */
async function asked(text: string, env: Record<string, string> = {}, option?: string): Promise<string> {
  const file = join(await tempDir(), 'fiskd.env')
  writeFileSync(file, text)
  return socketPath(option, withInstalledPaths({ FISKD_ENV_FILE: file, ...env }))
}

test('the socket of the unit is asked, wherever the environment file of the service puts the data', async () => {
  expect(await asked('FISKD_DATA_DIR=/srv/fiskd\n')).toBe('/run/fiskd/fiskd.sock')
  expect(await asked('FISKD_DATA_DIR=/srv/fiskd\nFISKD_SOCKET=/srv/a.sock\n')).toBe('/srv/a.sock')
})

test('a file that takes the socket of the unit away leaves it beside the data, as the daemon does', async () => {
  expect(await asked('FISKD_DATA_DIR=/srv/fiskd\nFISKD_SOCKET=\n')).toBe('/srv/fiskd/fiskd.sock')
})

test('what the environment of fisk or an option says counts more than the file', async () => {
  const file = 'FISKD_DATA_DIR=/srv/fiskd\n'
  expect(await asked(file, { FISKD_DATA_DIR: '/own' })).toBe('/own/fiskd.sock')
  expect(await asked(file, { FISKD_SOCKET: '/own.sock' })).toBe('/own.sock')
  expect(await asked(file, {}, '/option.sock')).toBe('/option.sock')
})

test('of several processes of a server the first one that runs is asked', async () => {
  const dir = await tempDir()
  const socket = (number: number) => join(dir, `${number}.sock`)
  const file = join(dir, 'fiskd.env')
  writeFileSync(file, 'FISKD_ROLE=server\n')
  for (const number of [10, 1, 2]) writeFileSync(join(dir, `fiskd@${number}.env`), `FISKD_SOCKET=${socket(number)}\n`)
  const found = () => socketPath(undefined, withInstalledPaths({ FISKD_ENV_FILE: file }))
  expect(found()).toBe(socket(1))
  writeFileSync(socket(10), '')
  expect(found()).toBe(socket(10))
  writeFileSync(socket(2), '')
  expect(found()).toBe(socket(2))
})
