import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { brokenLinks, type MarkdownFile, markdownFiles, namedPaths, readMarkdown } from '../support/documents.ts'
import { inProject } from '../support/stand-in.ts'

const documents = markdownFiles()
const named = (path: string) => documents.find((document) => document.path === path) as MarkdownFile
const manifestOf = (path: string) => JSON.parse(readFileSync(inProject(path), 'utf8'))
const manifest = manifestOf('package.json')
/** Those of the sample as well: its README stands beside it. */
const npmScripts = { ...manifest.scripts, ...manifestOf('examples/typescript/package.json').scripts }

describe.each(documents)('$path', (document) => {
  test('has no link to a file or a heading that does not exist', () => {
    expect(brokenLinks(document, documents)).toEqual([])
  })

  test('names only files and folders of the project that exist', () => {
    expect(namedPaths(document).filter((path) => !existsSync(inProject(path)))).toEqual([])
  })

  test('names only npm scripts that exist', () => {
    const scripts = [...document.text.matchAll(/npm\s+run\s+(?!-)([a-z][\w:-]*)/g)].map(([, name]) => String(name))
    expect(scripts.filter((name) => !(name in npmScripts))).toEqual([])
  })
})

test('a link is broken when its file or its heading is missing, and a path when it is not there', () => {
  const wrong = readMarkdown(
    'docs/technician.md',
    '# Here it is\n[a](#here-it-is) [b](#gone) [c](../gone.md) [d](../README.md#no) `src/gone.ts`',
  )
  expect(brokenLinks(wrong, documents)).toEqual(['#gone', '../gone.md', '../README.md#no'])
  expect(namedPaths(wrong)).toEqual(['src/gone.ts'])
})

test('README has at most 200 lines, and the commands of a first visit', () => {
  const { text, commands } = named('README.md')
  expect(text.split('\n').length).toBeLessThanOrEqual(200)
  expect(commands).toEqual(expect.arrayContaining(['npm ci && npm run demo', 'npm ci && npm test']))
})

test('README leads to every document', () => {
  const listed = new Set(named('README.md').links.map((link) => link.split('#')[0]))
  const wanted = documents.map(({ path }) => path).filter((path) => !/^test\/.*\/|^README\.md$/.test(path))
  expect(wanted.filter((path) => !listed.has(path))).toEqual([])
})

test('the changelog begins with the version of the program, or with what is not released yet', () => {
  const [, first] = /^## \[(.+?)\]/m.exec(named('CHANGELOG.md').text) ?? []
  expect([manifest.version, 'Unreleased']).toContain(first)
})

test('README and the instructions to install name the version of the program', () => {
  const texts = documents.map(({ text }) => text).join('\n')
  const versions = [...texts.matchAll(/fiskd[_-](\d+\.\d+\.\d+)(?:_|\.tgz)|This is version (\d+\.\d+\.\d+)/g)]
  expect(versions.length).toBeGreaterThan(3)
  expect(new Set(versions.map(([, file, said]) => file ?? said))).toEqual(new Set([manifest.version]))
})

test('the npm package ships only files that exist', () => {
  const files = manifest.files.map((file: string) => file.replace('/*.md', ''))
  expect(files.filter((file: string) => file !== 'dist' && !existsSync(inProject(file)))).toEqual([])
})

test('the man pages and the programs name only installed documents that exist', () => {
  const files = ['man', 'src'].flatMap((folder) =>
    readdirSync(inProject(folder), { recursive: true, encoding: 'utf8' }).map((file) => inProject(`${folder}/${file}`)),
  )
  const texts = files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file, 'utf8'))
  const named = texts.flatMap((text) => [...text.matchAll(/\/usr\/share\/doc\/fiskd\/([\w./-]+\.md)/g)])
  expect(named.length).toBeGreaterThan(2)
  expect(named.map(([, path]) => String(path)).filter((path) => !existsSync(inProject(path)))).toEqual([])
})

describe('test/README.md', () => {
  const helpers = readdirSync(inProject('test/support')).sort()
  const { text } = named('test/README.md')

  test('describes every helper of test/support, and no other', () => {
    const rows = text.split('\n## Helpers\n')[1]?.match(/^\| `.*$/gm) ?? []
    const described = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)])
    expect(described.map(([, name]) => String(name).replace(/\/$/, '')).sort()).toEqual(helpers)
  })

  test('names only functions that the helpers have', () => {
    const sources = helpers
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(inProject(`test/support/${file}`), 'utf8'))
    const functions = [...text.matchAll(/`(?:[\w.]+\.)?(\w+)\(\)`/g)].map(([, name]) => String(name))
    expect(functions.length).toBeGreaterThan(10)
    const everything = sources.join('\n')
    expect(functions.filter((name) => !new RegExp(`\\b${name}\\b`).test(everything))).toEqual([])
  })
})
