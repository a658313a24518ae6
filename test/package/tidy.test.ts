import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tidy } from '../../scripts/package/tidy.ts'
import { tempDir } from '../support/temp-dir.ts'

const WRITTEN_AT = new Date('2026-01-02T03:04:05Z')

test('what is packed has modes and times that do not depend on who packs it, and is counted as dpkg counts', async () => {
  const root = await tempDir()
  const of = (path: string) => {
    const { mode, mtime } = statSync(join(root, path))
    return [(mode & 0o7777).toString(8), mtime]
  }
  mkdirSync(join(root, 'node_modules/qrcode'), { recursive: true, mode: 0o700 })
  writeFileSync(join(root, 'script'), 'x', { mode: 0o700 })
  writeFileSync(join(root, 'text'), 'x'.repeat(1025), { mode: 0o600 })
  writeFileSync(join(root, 'node_modules/qrcode/text'), '', { mode: 0o754 })
  // Three folders, and files of 1, 1025 and no bytes.
  expect(tidy(root, WRITTEN_AT)).toBe(3 + 1 + 2 + 0)
  expect(['', 'node_modules/qrcode', 'script'].map(of)).toEqual(Array(3).fill(['755', WRITTEN_AT]))
  expect(['text', 'node_modules/qrcode/text'].map(of)).toEqual(Array(2).fill(['644', WRITTEN_AT]))
})
