import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const MOST_FILES = 30

const files = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => entry.parentPath.slice(ROOT.length + 1))

const folders = new Set(files.flatMap((folder) => [folder, dirname(folder)]))
/** What lies deeper may be told of with its folder. */
const wanted = [...folders].filter((folder) => /^src\/[^/]+(\/[^/]+)?$/.test(folder))

test('the map in docs/architecture.md has one line for each room of src and each folder in it', () => {
  const [, map = ''] = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8').split('\n## Room map\n')
  const lines = [...(map.split('\n## ')[0] ?? '').matchAll(/^\| `(src\/[^`]*)\/` \|/gm)].map(
    ([, folder = '']) => folder,
  )
  expect(wanted.filter((folder) => !lines.includes(folder))).toEqual([])
  expect(lines.filter((folder, i) => !folders.has(folder) || lines.indexOf(folder) !== i)).toEqual([])
})

test(`no folder of src holds more than ${MOST_FILES} files of its own`, () => {
  const counts = [...new Set(files)].map((folder) => ({ folder, count: files.filter((one) => one === folder).length }))
  expect(counts.filter(({ count }) => count > MOST_FILES)).toEqual([])
})
