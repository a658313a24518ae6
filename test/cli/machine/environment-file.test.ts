import { chmodSync, chownSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  readVariables,
  replaceEnvironmentFile,
  variablesIn,
  withVariables,
} from '../../../src/cli/machine/environment-file.ts'
import { mayMount, mountTmpfs } from '../../support/small-disk.ts'
import { tempDir } from '../../support/temp-dir.ts'

test.each([
  ['A=1\nB=2\n', { A: '1', B: '2' }],
  ['# A=1\n; B=2\n\n  C = 3  \n', { C: '3' }],
  ['A=1\nA=2\n', { A: '2' }],
  ['A=\n', { A: '' }],
  ['A="one two"\nB=\'three # four\'\n', { A: 'one two', B: 'three # four' }],
  ['A="one\ntwo"\nB=3', { A: 'one\ntwo', B: '3' }],
  ['A="say \\"yes\\" \\n \\$5 \\\\"\n', { A: 'say "yes" \\n $5 \\' }],
  ["A='it\\n'\n", { A: 'it\\n' }],
  ['A=one\\\ntwo\nB=3\n', { A: 'onetwo', B: '3' }],
  ['A=one # not a comment  \t\n', { A: 'one # not a comment' }],
  ["A=it's\nB=2\n", { A: "it's", B: '2' }],
  ['A="a"b\n', { A: 'ab' }],
  ['A="a" "b"\n', { A: 'ab' }],
  ['A=a\\ \nB=2\n', { A: 'a ', B: '2' }],
  ['A=1\r\nB="2"\r\n', { A: '1', B: '2' }],
  ['no assignment\nexport A=1\n1A=2\nB=2\n', { B: '2' }],
  ['', {}],
])('a file is read as systemd reads it: %j', (text, variables) => {
  expect(readVariables(text)).toEqual(variables)
})

const FILE = `# Configuration of fiskd.

# Where it listens.
#FISKD_LISTEN=127.0.0.1:8443,[::1]:8443
FISKD_ROLE=gateway

# How much it logs.
FISKD_LOG_LEVEL="debug"
`

test('variables are set where they stand or are offered, or at the end, and nothing else changes', () => {
  const changed = withVariables(FILE, { FISKD_ROLE: 'server', FISKD_LISTEN: '10.0.0.5:8443', FISKD_SMTP_URL: 'a b$' })
  expect(changed).toBe(
    `${FILE.replace('#FISKD_LISTEN=127.0.0.1:8443,[::1]:8443', 'FISKD_LISTEN=10.0.0.5:8443').replace(
      'gateway',
      'server',
    )}FISKD_SMTP_URL="a b\\$"\n`,
  )
  expect(readVariables(changed)).toEqual({
    FISKD_LISTEN: '10.0.0.5:8443',
    FISKD_ROLE: 'server',
    FISKD_LOG_LEVEL: 'debug',
    FISKD_SMTP_URL: 'a b$',
  })
})

test.each([
  ['A=1', { B: '2' }, 'A=1\nB=2\n'],
  ['', { B: '' }, 'B=\n'],
  ['A=1\nA="2\n3"\n', { A: '4' }, 'A=1\nA=4\n'],
  ['#A=1\nA=2\n', { A: '3' }, '#A=1\nA=3\n'],
  ['# A = old', { A: 'new' }, 'A=new\n'],
])('set in %j: %j', (text, changes, after) => {
  expect(withVariables(text, changes)).toBe(after)
})

test('whatever value is written is read back', () => {
  for (const value of ['', ' ', 'a b', '"', "'", '\\', '$HOME `x`', '#', 'čšž', '[::1]:8443,0.0.0.0:1', 'a\nb']) {
    expect(readVariables(withVariables('A=1\nB=2\n', { A: value }))).toEqual({ A: value, B: '2' })
  }
})

test('a file is replaced as a whole, with its owner and mode, and nothing is left beside it', async () => {
  const dir = await tempDir()
  const path = join(dir, 'fiskd.env')
  writeFileSync(path, FILE)
  chmodSync(path, 0o640)
  const owner = process.getuid?.() === 0 ? 4711 : (process.getuid?.() ?? 0)
  chownSync(path, owner, process.getgid?.() ?? 0)
  const before = statSync(path)
  writeFileSync(`${path}.${process.pid}.new`, 'left by a crash')
  replaceEnvironmentFile(path, 'FISKD_ROLE=server\n')
  const after = statSync(path)
  expect(readFileSync(path, 'utf8')).toBe('FISKD_ROLE=server\n')
  expect([after.mode, after.uid, after.gid]).toEqual([before.mode, owner, before.gid])
  expect(after.ino).not.toBe(before.ino)
  expect(readdirSync(dir)).toEqual(['fiskd.env'])
})

test.skipIf(!mayMount())('on a disk that is nearly full the old file stays, whole', () => {
  const disk = mountTmpfs(1)
  onTestFinished(() => disk.close())
  const path = join(disk.path, 'fiskd.env')
  writeFileSync(path, FILE)
  disk.leave(4096)
  expect(() => replaceEnvironmentFile(path, 'FISKD_ROLE=server\n'.repeat(1000))).toThrow('ENOSPC')
  expect(readFileSync(path, 'utf8')).toBe(FILE)
  expect(readdirSync(disk.path).sort()).toEqual(['ballast', 'fiskd.env'])
})

test('a file that is not there sets nothing, and is not made', async () => {
  const path = join(await tempDir(), 'none.env')
  expect(variablesIn(path)).toEqual({})
  expect(() => replaceEnvironmentFile(path, 'A=1\n')).toThrow('ENOENT')
  expect(existsSync(path)).toBe(false)
})
