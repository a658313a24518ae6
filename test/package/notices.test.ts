import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { bundle } from '../../scripts/bundle.ts'
import { EXTERNALS } from '../../scripts/externals.ts'
import { closureOf, manifestOf } from '../../scripts/package/modules.ts'
import { bundledFolders, debianCopyright, type Notice, shippedNotices, textOf } from '../../scripts/package/notices.ts'
import { atTheEndOfFile } from '../support/file-end.ts'
import { inProject } from '../support/stand-in.ts'
import { makeTempDir } from '../support/temp-dir.ts'

const beside = closureOf(EXTERNALS)
let inputs: Record<string, unknown>
let notices: Notice[]

beforeAll(async () => {
  ;({ inputs } = await bundle(join(await makeTempDir(atTheEndOfFile), 'dist')))
  notices = shippedNotices(inputs, beside)
})

const titles = () => notices.map(({ name, version }) => `${name} ${version}`)

test('each npm package that is shipped has its notice, with the text of its licence', () => {
  const shipped = [...new Set([...bundledFolders(inputs), ...beside])]
  expect(shipped.length).toBeGreaterThan(100)
  for (const folder of shipped) {
    const { name, version } = manifestOf(folder)
    const notice = notices.find((one) => one.name === name && one.version === version)
    expect(notice?.text, folder).toMatch(/permission|permitted|license/i)
  }
})

test('each copy of a foreign file among our sources has its notice', () => {
  const scripts = readdirSync(inProject('src'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.min.js'),
  )
  expect(scripts.map((file) => file.split('/').at(-1))).toEqual(['htmx.min.js'])
  const version = /version:"([\d.]+)"/.exec(readFileSync(inProject(`src/${scripts[0]}`), 'utf8'))?.[1]
  expect(titles()).toContain(`htmx ${version}`)
  expect(titles()).toContainEqual(expect.stringContaining('Spleen'))
  expect(titles()).toContainEqual(expect.stringContaining('Swagger UI'))
})

test('the notices of the npm package are those of the bundle alone', () => {
  const text = textOf(shippedNotices(inputs))
  expect(text).toContain(`fastify ${manifestOf('node_modules/fastify').version} (MIT)`)
  expect(text).not.toContain('better-sqlite3')
})

test('the copyright file of the Debian package is in the form of DEP-5, and explains each licence that it names', () => {
  const text = debianCopyright({ name: 'node', version: '24.0.0', license: 'MIT', text: 'its licence' })
  const [header, ...paragraphs] = text.split('\n\n')
  expect(header).toMatch(/^Format: https:\/\/www\.debian\.org\/doc\/packaging-manuals\/copyright-format\/1\.0\//)
  const files = paragraphs.filter((paragraph) => paragraph.startsWith('Files: '))
  expect(files[0]).toMatch(/^Files: \*\nCopyright: .+\nLicense: Apache-2\.0$/)
  for (const paragraph of files) expect(paragraph).toMatch(/^Files: .+\nCopyright: .+\nLicense: .+$/)
  const named = files.flatMap((paragraph) => /License: (.+)$/.exec(paragraph)?.[1]?.split(' and ') ?? [])
  const explained = paragraphs.flatMap((paragraph) => /^License: (.+)\n /.exec(paragraph)?.[1] ?? [])
  expect(explained.sort()).toEqual([...new Set(named)].sort())
})

test('fiskd itself is under the Apache License 2.0, and packages of both kinds carry its text', () => {
  const manifest = JSON.parse(readFileSync(inProject('package.json'), 'utf8'))
  const lock = JSON.parse(readFileSync(inProject('package-lock.json'), 'utf8'))
  expect([manifest.license, lock.packages[''].license]).toEqual(['Apache-2.0', 'Apache-2.0'])
  expect(manifest.files).toContain('LICENSE')
  expect(readFileSync(inProject('LICENSE'), 'utf8')).toMatch(/Apache License\s+Version 2\.0[\s\S]+The fiskd authors/)
})
