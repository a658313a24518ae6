import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { waitsForDisk } from '../../../src/cli/host/disk-wait.ts'
import { tempDir } from '../../support/temp-dir.ts'

/** A machine on which the process of the daemon is in this state, as the kernel tells it. */
async function machineWith(state: string | null, pid = '812') {
  const dir = await tempDir()
  const proc = join(dir, 'proc')
  mkdirSync(join(proc, '812'), { recursive: true })
  writeFileSync(join(dir, 'fiskd.pid'), `${pid}\n`)
  if (state !== null) writeFileSync(join(proc, '812', 'status'), `Name:\tnode\nState:\t${state}\nTgid:\t812\n`)
  return { env: { FISKD_DATA_DIR: dir }, fiskd: undefined, paths: { proc } } as never
}

test('a daemon that sleeps in the kernel waits for its disk, and any other state says nothing', async () => {
  expect(await waitsForDisk(await machineWith('D (disk sleep)'))).toBe(true)
  expect(await waitsForDisk(await machineWith('S (sleeping)'))).toBe(false)
  expect(await waitsForDisk(await machineWith(null))).toBe(false)
  expect(await waitsForDisk(await machineWith('D (disk sleep)', 'unknown'))).toBe(false)
})
