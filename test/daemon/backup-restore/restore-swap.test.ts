import { lstatSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { removeSecondNames } from '../../../src/daemon/backup-restore/restore-swap.ts'
import { tempDir } from '../../support/temp-dir.ts'

test('a link to nothing among the databases set aside stops no restore', async () => {
  const path = join(await tempDir(), 'fiskd.db')
  writeFileSync(path, '')
  symlinkSync('/nonexistent', `${path}.damaged-2026-01-01T00-00-00Z`)
  removeSecondNames(path)
  expect(lstatSync(`${path}.damaged-2026-01-01T00-00-00Z`).isSymbolicLink()).toBe(true)
})
