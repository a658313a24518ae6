import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { filesBelow } from '../support/documents.ts'
import { inProject } from '../support/stand-in.ts'

/** Of the second table: what is not written any more. */
function wordsThatAreOut(): string[] {
  const [, table = ''] = readFileSync(inProject('docs/glossary.md'), 'utf8').split('| not | but |')
  const cells = [...table.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell = '']) => cell)
  return cells.filter((cell) => !cell.startsWith('--')).flatMap((cell) => cell.split(', '))
}

const FOLDERS = ['src/dashboard', 'src/reports', 'src/domain', 'src/alerts', 'src/receipts/layout', 'src/fiscal']

test('no text of the office has a word that the glossary has put out', () => {
  const out = wordsThatAreOut()
  expect(out.length).toBeGreaterThan(20)
  const files = FOLDERS.flatMap((folder) => filesBelow(inProject(folder)))
  expect(files.length).toBeGreaterThan(200)
  const found = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    return out.filter((word) => text.includes(word)).map((word) => `${file}: ${word}`)
  })
  expect(found).toEqual([])
})
