import { expect, test } from 'vitest'
import { filesBelow } from '../support/documents.ts'
import { inProject } from '../support/stand-in.ts'

type Words = Record<string, unknown>

/** Texts with a blank that are the same in both languages. */
function alike(hr: Words, en: Words, path: string): string[] {
  return Object.entries(hr).flatMap(([key, text]) => {
    const other = en[key]
    const at = `${path}.${key}`
    if (typeof text === 'object' && text !== null) return alike(text as Words, other as Words, at)
    const [one, two] = [said(text), said(other)]
    return one === two && /\p{L}{3,} \p{L}{3,}/u.test(one) ? [`${at}: ${one}`] : []
  })
}

/** A text, or that of a function: the code that makes it names its words. */
const said = (text: unknown) => (typeof text === 'function' ? String(text) : typeof text === 'string' ? text : '')

const isTable = (value: unknown): value is { hr: Words; en: Words } =>
  typeof value === 'object' && value !== null && Object.keys(value).sort().join() === 'en,hr'

test('no text of the pages is the same in Croatian and in English', async () => {
  const files = ['src/dashboard', 'src/reports', 'src/alerts', 'src/domain/alert-texts'].flatMap((folder) =>
    filesBelow(inProject(folder)).filter((file) => /texts\.ts$/.test(file)),
  )
  const tables = await Promise.all(
    files.map(async (file) => {
      const exported: Words = await import(file)
      return Object.entries(exported).flatMap(([name, value]) => (isTable(value) ? [{ name, value, file }] : []))
    }),
  )
  expect(tables.flat().length).toBeGreaterThan(20)
  expect(tables.flat().flatMap(({ name, value, file }) => alike(value.hr, value.en, `${file} ${name}`))).toEqual([])
})
