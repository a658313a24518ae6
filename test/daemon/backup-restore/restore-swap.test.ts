import { chownSync, lstatSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { handOver, removeSecondNames } from '../../../src/daemon/backup-restore/restore-swap.ts'
import { tempDir } from '../../support/temp-dir.ts'

const DAEMON = 65534

test.skipIf(process.getuid?.() !== 0)('what root has made is handed over, and no link is followed', async () => {
  const dir = await tempDir()
  const victim = join(dir, 'victim')
  writeFileSync(victim, 'of root')
  const dataDir = join(dir, 'data')
  mkdirSync(dataDir)
  chownSync(dataDir, DAEMON, DAEMON)
  const [made, link, dangling] = ['fiskd.db', 'fiskd.pid', 'fiskd.lock'].map((name) => join(dataDir, name))
  if (!made || !link || !dangling) throw new Error('there are three')
  writeFileSync(made, '')
  symlinkSync(victim, link)
  symlinkSync(join(dir, 'nothing'), dangling)
  handOver([made, link, dangling, join(dataDir, 'never-made')])
  expect(statSync(made).uid).toBe(DAEMON)
  expect([statSync(victim).uid, lstatSync(link).uid]).toEqual([0, 0])
})

test('a link to nothing among the databases set aside stops no restore', async () => {
  const path = join(await tempDir(), 'fiskd.db')
  writeFileSync(path, '')
  symlinkSync('/nonexistent', `${path}.damaged-2026-01-01T00-00-00Z`)
  removeSecondNames(path)
  expect(lstatSync(`${path}.damaged-2026-01-01T00-00-00Z`).isSymbolicLink()).toBe(true)
})
