import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inProject } from '../support/stand-in.ts'

const CITED = /docs\/spec\/([a-z]+\.md)(?:, | \()([A-Z][A-Za-z]+)/g

const chaptersOf = (document: string) =>
  readFileSync(inProject(`docs/spec/${document}`), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('#'))
    .map((line) => line.replace(/^#+ /, ''))

test('every cited chapter of docs/spec exists', () => {
  const citations = ['src', 'test', 'scripts']
    .flatMap((room) =>
      readdirSync(inProject(room), { recursive: true, encoding: 'utf8' }).map((path) => join(room, path)),
    )
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => [
      ...readFileSync(inProject(path), 'utf8')
        .replaceAll(/\n\s*(?:\*|\/\/) ?/g, ' ')
        .matchAll(CITED),
    ])
  expect(citations.length).toBeGreaterThan(20)
  const missing = citations.filter(([, document, word]) =>
    chaptersOf(String(document)).every((chapter) => !chapter.startsWith(String(word))),
  )
  expect(missing.map(([text]) => text)).toEqual([])
})
