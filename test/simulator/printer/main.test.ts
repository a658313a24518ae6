import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startMain } from '../../support/main-process.ts'
import { escpos } from '../../support/printer.ts'
import { VIRTUAL_PRINTER } from '../../support/programs.ts'
import { tempDir } from '../../support/temp-dir.ts'

const start = (...args: string[]) => startMain(VIRTUAL_PRINTER, args)

const soon = <T>(read: () => T) => expect.poll(read, { interval: 20 })

test('by hand: it says its device, prints receipts as text and pictures, and obeys', async () => {
  const dir = await tempDir()
  const link = join(dir, 'printer')
  const running = start('--link', link, '--png', join(dir, 'png'))
  await soon(() => running.out).toBe(`${link}\n`)
  running.child.stdin.write('paper out\nwhat\n')
  await soon(() => running.out).toContain('Say one of: paper out,')
  await writeFile(link, escpos('Hvala!', 0x0a, 0x1d, 'V', 66, 0))
  running.child.stdin.write('cover open\ncover close\npaper ok\n')
  const rule = '-'.repeat(48)
  await soon(() => running.out).toContain(`${rule}\nHvala!\n${rule}\n`)
  expect((await readFile(join(dir, 'png', 'receipt-1.png'))).subarray(1, 4).toString()).toBe('PNG')

  running.child.stdin.write('unplug\n')
  await soon(() => existsSync(link)).toBe(false)
  running.child.stdin.write('plug\n')
  await soon(() => existsSync(link)).toBe(true)
  running.child.kill('SIGTERM')
  expect(await once(running.child, 'close')).toEqual([0, null])
  expect(running.err).toBe('')
  expect(existsSync(link)).toBe(false)
})

test('an unknown option is named, with the help and without a stack', async () => {
  const running = start('--prot')
  expect(await once(running.child, 'close')).toEqual([2, null])
  expect(running.err).toMatch(/^Unknown option '--prot'/)
  expect(running.err).toContain('--png DIR')
  expect(running.err).not.toMatch(/^\s+at /m)
})

test('it is another kind of printer where that is said, and one that it knows', async () => {
  const dir = await tempDir()
  const link = join(dir, 'printer')
  const running = start('--link', link, '--kind', 'star-line')
  await soon(() => running.out).toBe(`${link}\n`)
  await writeFile(link, escpos('Hvala!', 0x1b, 'd', 3))
  await soon(() => running.out).toContain('\nHvala!\n')
  running.child.kill('SIGTERM')
  await once(running.child, 'close')
  const wrong = start('--kind', 'laser')
  expect(await once(wrong.child, 'close')).toEqual([2, null])
  expect(wrong.err).toMatch(/^--kind must be one of: epson, custom, star-line, star-raster, clone/)
})
