import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { VARIABLES } from '../../src/daemon/config.ts'
import { inProject } from '../support/stand-in.ts'
import { skipWithout } from '../support/tools.ts'
import { program } from '../support/whole-program.ts'

const PAGES = ['fisk.1', 'fiskd.8']
const page = (name: string) => readFileSync(inProject(`man/${name}`), 'utf8')

/** Every command that does something, from the program itself: its words, and its options. */
function commands(): { words: string; options: string[] }[] {
  const below = (parent: Command, before: string): { words: string; options: string[] }[] =>
    parent.commands.flatMap((command) => {
      const words = `${before}${command.name()}`
      if (command.commands.length > 0) return below(command, `${words} `)
      return [{ words, options: command.options.flatMap(({ hidden, long }) => (hidden || !long ? [] : [long])).sort() }]
    })
  return below(program, '')
}

test('fisk(1) describes every command with each of its options, and no other', () => {
  const described = page('fisk.1')
    .split(/^\.It Nm fisk Cm /m)
    .slice(1)
    .map((text) => ({
      words: String(/^[a-z -]+/.exec(text.replace(/ (Op|Ar) .*/, ''))?.[0]).trim(),
      options: [...(text.split(/^\.Sh/m)[0] ?? '').matchAll(/^\.It Fl (-[a-z-]+)/gm)]
        .map(([, flag]) => `-${flag}`)
        .sort(),
    }))
  const byWords = (a: { words: string }, b: { words: string }) => (a.words < b.words ? -1 : 1)
  expect(described.sort(byWords)).toEqual(commands().sort(byWords))
})

test('fiskd(8) describes every variable', () => {
  const described = [...page('fiskd.8').matchAll(/^\.It (Ev .*)$/gm)].flatMap(([, names]) =>
    [...String(names).matchAll(/Ev ([A-Z0-9_]+)/g)].map(([, name]) => String(name)),
  )
  const ours = described.filter((name) => /^(FISKD|RATE_LIMIT)_/.test(name))
  expect(ours.sort()).toEqual([...VARIABLES].sort())
})

test('fiskd(8) describes every option that the daemon says it has', () => {
  const usage = readFileSync(inProject('src/daemon/program.ts'), 'utf8')
  const options = new Set([...usage.matchAll(/^ {2}fiskd --([a-z-]+)/gm)].map(([, name]) => String(name)))
  expect(options.size).toBeGreaterThan(3)
  for (const option of options) expect(page('fiskd.8')).toMatch(new RegExp(`^\\.Fl -${option}$`, 'm'))
})

test('the pages name each other', () => {
  expect(page('fisk.1')).toMatch(/^\.Xr fiskd 8/m)
  expect(page('fiskd.8')).toMatch(/^\.Xr fisk 1/m)
})

describe.skipIf(skipWithout('mandoc'))('mandoc', () => {
  test.each(PAGES)('has nothing to say about %s', (name) => {
    const { stdout } = spawnSync('mandoc', ['-Tlint', inProject(`man/${name}`)], { encoding: 'utf8' })
    // Which other pages are installed is not up to ours.
    const said = stdout.split('\n').filter((line) => line !== '' && !line.includes('referenced manual not found'))
    expect(said).toEqual([])
  })
})
