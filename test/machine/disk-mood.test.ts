import { execFile } from 'node:child_process'
import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startDisk } from '../../scripts/machine/disk.ts'
import type { Mood } from '../../scripts/machine/disk-mood.ts'
import { tempDir } from '../support/temp-dir.ts'
import { skipWithout } from '../support/tools.ts'

const MEGABYTE = 1024 * 1024

/** A card in a mood, how QEMU's own client of disks ends with it and what it says, and the first byte that is durable then. */
async function suffered(mood: Mood, commands: string[]) {
  const dir = await tempDir()
  const image = join(dir, 'image')
  writeFileSync(image, '')
  truncateSync(image, MEGABYTE)
  const disk = await startDisk({ image, socket: join(dir, 'nbd') })
  onTestFinished(() => disk.close())
  disk.suffer(mood)
  const args = ['-f', 'raw', '-t', 'writeback', ...commands.flatMap((command) => ['-c', command]), disk.url]
  const { stdout, code = 0 } = await promisify(execFile)('qemu-io', args).catch((error) => error)
  disk.powerOff({ keep: 'none', seed: 1 })
  return { code, said: String(stdout), durable: readFileSync(image)[0] }
}

const WRITTEN = ['write -P 7 0 4k', 'flush']

test.skipIf(skipWithout('qemu-io'))('a bad card gives the errors of its mood, and a good one none', async () => {
  expect(await suffered({}, WRITTEN)).toMatchObject({ durable: 7, code: 0 })
  expect((await suffered({ read: 'error' }, ['read 0 4k'])).said).toContain('Input/output error')
  expect(await suffered({ write: 'error' }, WRITTEN)).toMatchObject({
    durable: 0,
    said: expect.stringContaining('Input/output error'),
  })
  expect((await suffered({ write: 'readonly' }, WRITTEN)).said).toContain('Operation not permitted')
  // It says nothing of a flush, and ends with 1.
  expect(await suffered({ flush: 'error' }, WRITTEN)).toMatchObject({ durable: 0, code: 1 })
})

test.skipIf(skipWithout('qemu-io'))('a card that lies says that it has flushed, and keeps nothing', async () => {
  expect(await suffered({ flush: 'lies' }, [...WRITTEN, 'read -P 7 0 4k'])).toMatchObject({ durable: 0, code: 0 })
})

test.skipIf(skipWithout('qemu-io'))('a slow card takes as long as it was told', async () => {
  const began = performance.now()
  expect((await suffered({ flush: 400 }, WRITTEN)).durable).toBe(7)
  expect(performance.now() - began).toBeGreaterThan(400)
})
