import { spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inProject } from '../support/stand-in.ts'
import { tempDir } from '../support/temp-dir.ts'

/** Runs `npm run package` where there is no command but Node. */
async function packageWithout(...args: string[]) {
  const PATH = await tempDir()
  symlinkSync(process.execPath, join(PATH, 'node'))
  const main = ['--import', 'tsx', 'scripts/package/main.ts', '--out', join(PATH, 'out')]
  const env = { PATH, GNUPGHOME: PATH }
  return spawnSync(process.execPath, [...main, ...args], { cwd: inProject('.'), encoding: 'utf8', env })
}

test('who makes packages is told at once, in a line, which commands are missing and how to get them', async () => {
  const { status, stderr } = await packageWithout()
  expect([status, stderr]).toEqual([
    1,
    'missing here: dpkg-deb, readelf, tar. On Debian: apt install dpkg binutils tar\n',
  ])
})

test('who makes a repository is told so of its commands, too, before anything is built', async () => {
  const { status, stderr } = await packageWithout('--repository', await tempDir())
  expect([status, stderr]).toEqual([
    1,
    'missing here: dpkg-deb, readelf, tar, apt-ftparchive, gpg. On Debian: apt install dpkg binutils tar apt-utils gnupg\n',
  ])
})

test.each([
  [['--arch', 'armhf'], '--arch armhf: there are amd64, arm64\n'],
  [['--url', 'https://packages.example.com'], '--sign-with and --url go with --repository\n'],
])('what it does not understand is refused in a line: %j', async (args, said) => {
  const { status, stderr } = await packageWithout(...args)
  expect([status, stderr]).toEqual([1, said])
})
