import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UsageError } from '../../scripts/chaos/arguments.ts'
import { createChance } from '../../scripts/chaos/chance.ts'
import { readOptions } from '../../scripts/chaos/options.ts'
import { sabotagedCopy } from '../../scripts/chaos/sabotage.ts'
import { DIST } from '../support/programs.ts'
import { tempDir } from '../support/temp-dir.ts'

test('without options it is the long run of the plain kind', () => {
  expect(readOptions([])).toMatchObject({
    kills: 200,
    devices: 8,
    disk: false,
    clock: false,
    sabotage: null,
    secondsMax: 2520,
  })
  expect(readOptions(['--disk'])).toMatchObject({ kills: 60, disk: true })
  expect(readOptions(['--help'])).toBeNull()
})

test.each([
  [['--kill', '3'], "Unknown option '--kill'"],
  [['--kills', '0'], '--kills 0: give a whole number'],
  [['--seed', 'x'], '--seed x: give a whole number'],
  [['--sabotage', 'fsync'], '--sabotage fsync: one of answer-before-commit'],
])('%j is wrong use', (args, reason) => {
  expect(() => readOptions(args)).toThrow(UsageError)
  expect(() => readOptions(args)).toThrow(reason)
})

test('a seed repeats its choices, and a branch leaves those of its trunk alone', () => {
  const [one, other] = [createChance(7), createChance(7)]
  const branch = one.branch()
  other.branch()
  branch.next()
  expect([one.next(), one.between(1, 2)]).toEqual([other.next(), other.between(1, 2)])
  expect(createChance(8).next()).not.toBe(createChance(7).next())
})

async function distWith(store: string): Promise<{ dist: string; dir: string }> {
  const root = await tempDir()
  const [dist, dir] = [join(root, 'dist'), join(root, 'broken')]
  mkdirSync(join(dist, 'daemon'), { recursive: true })
  mkdirSync(dir)
  writeFileSync(join(dist, 'daemon/main.js'), store)
  writeFileSync(join(root, 'package.json'), '{}')
  return { dist, dir }
}

test('the sabotage changes a copy of the build, and leaves the build alone', async () => {
  const good =
    'one2.value =\nawait one2.work(tx); if (isRead) return run3(ofReader(), query); read = () => writer.inTransaction ? ofReader().run() : writing.run()\n'
  const { dist, dir } = await distWith(good)
  const broken = readFileSync(join(sabotagedCopy(dist, dir), 'daemon/main.js'), 'utf8')
  expect(broken).toContain('one2.resolve(await one2.work(tx));await ')
  expect(broken).toContain('return run3(writing, query); read = () => false ? ofReader().run()')
  expect(readFileSync(join(dist, 'daemon/main.js'), 'utf8')).toBe(good)
  expect(existsSync(join(dir, 'package.json'))).toBe(true)
})

test.each(['answer-before-commit', 'synchronous-normal', 'sell-on-lost'] as const)(
  'the sabotage %s fits the build that there is',
  async (fault) => {
    expect(existsSync(sabotagedCopy(DIST, await tempDir(), fault))).toBe(true)
  },
)

test.each(['', 'one.settle=()=>one.resolve(a); two.settle=()=>two.resolve(b)'])(
  'a sabotage that does not fit the build is an error: %j',
  async (store) => {
    const { dist, dir } = await distWith(store)
    expect(() => sabotagedCopy(dist, dir)).toThrow('times in the build')
  },
)
