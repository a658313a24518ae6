import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { createScriptLoader, type Stage } from '../../src/daemon/script-loader.ts'
import { tempDir } from '../support/temp-dir.ts'

let folder: string
let cache: string

beforeEach(async () => {
  folder = await tempDir()
  cache = join(await tempDir(), 'compiled')
  script('program.js', 'const{one}=load("./other.js");return{sum:one+one}')
  script('other.js', 'return{one:1}')
})

const script = (name: string, body: string) =>
  writeFileSync(join(folder, name), `(function(load,later,importOther,meta){${body}})`)

/** One life: what the program came to. */
async function live(stage?: Stage): Promise<unknown> {
  const loader = createScriptLoader(pathToFileURL(`${folder}/`), cache, (compiled) => compiled())
  const program = await loader.load('program.js')
  if (stage) await loader.keep(stage)
  return program
}

/** When each file was written; the time of those that are there is set back, so that a write shows. */
function ages(): Record<string, number> {
  const names = readdirSync(cache)
  const found = Object.fromEntries(names.map((name) => [name, statSync(join(cache, name)).mtimeMs]))
  for (const name of names) utimesSync(join(cache, name), 1, 1)
  return found
}

test('what a life has compiled is kept for each script, and not again in the next one', async () => {
  expect(await live('sold')).toEqual({ sum: 2 })
  expect(Object.keys(ages())).toEqual(['other.js', 'program.js'])
  expect(await live('sold')).toEqual({ sum: 2 })
  expect(await live('started')).toEqual({ sum: 2 })
  expect(ages()).toEqual({ 'other.js': 1000, 'program.js': 1000 })
})

test('what a start has compiled makes room for what a sale has compiled', async () => {
  await live('started')
  ages()
  await live('sold')
  expect(Object.values(ages()).every((at) => at > 1000)).toBe(true)
})

test('a script that has changed runs as it is, whatever was compiled of it before, and is kept anew', async () => {
  await live('sold')
  ages()
  script('other.js', 'return{one:3}')
  expect(await live('sold')).toEqual({ sum: 6 })
  expect(ages()).toMatchObject({ 'program.js': 1000, 'other.js': expect.not.closeTo(1000) })
})

test.for<[what: string, damage: (bytes: Buffer) => Buffer]>([
  ['empty', () => Buffer.alloc(0)],
  ['cut off', (bytes) => bytes.subarray(0, bytes.length - 100)],
  ['cut off in its header', (bytes) => bytes.subarray(0, 7)],
  ['something else', () => Buffer.from('{"compiled": true, "version": 1}')],
  ['changed in a bit', (bytes) => bytes.map((byte, at) => (at === 200 ? byte ^ 1 : byte)) as Buffer],
])('a file that is %s is not used, and replaced', async ([, damage]) => {
  await live('sold')
  const file = join(cache, 'program.js')
  const good = readFileSync(file)
  writeFileSync(file, damage(good))
  ages()
  expect(await live('sold')).toEqual({ sum: 2 })
  expect(ages()).toMatchObject({ 'program.js': expect.not.closeTo(1000), 'other.js': 1000 })
})

test('where nothing can be kept the program runs all the same', async () => {
  writeFileSync(cache, 'a file is in the place of the folder')
  expect(await live('sold')).toEqual({ sum: 2 })
  expect(await live('sold')).toEqual({ sum: 2 })
})

test('what could not be loaded is tried again when it is next asked for', async () => {
  script('program.js', 'return{late:()=>later("./late.js")}')
  writeFileSync(
    join(folder, 'late.js'),
    '(async()=>{if(globalThis.isMissing)throw new Error("missing");return{one:1}})',
  )
  const loader = createScriptLoader(pathToFileURL(`${folder}/`), undefined, (compiled) => compiled())
  const { late } = Object(await loader.load('program.js'))
  Object.assign(globalThis, { isMissing: true })
  await expect(late()).rejects.toThrow('missing')
  Object.assign(globalThis, { isMissing: false })
  expect(await late()).toEqual({ one: 1 })
})

test('what could not be written is not left behind', async () => {
  mkdirSync(join(cache, 'program.js'), { recursive: true })
  await live('sold')
  expect(readdirSync(cache)).toEqual(['program.js'])
})

test('without a folder nothing is kept', async () => {
  const loader = createScriptLoader(pathToFileURL(`${folder}/`), undefined, () => expect.unreachable())
  expect(await loader.load('program.js')).toEqual({ sum: 2 })
  await loader.keep('sold')
})
