import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { markdownFiles, wordsOf } from '../support/documents.ts'
import { FISKD } from '../support/programs.ts'
import { callsOf, problemsWith } from './support/fisk-lines.ts'

const documents = markdownFiles()

const withCalls = documents.map(({ path, commands, codeSpans }) => ({
  path,
  whole: commands.flatMap((line) => callsOf('fisk', line).map((words) => ({ line, words }))),
  mentioned: codeSpans.flatMap((line) => callsOf('fisk', line).map((words) => ({ line, words }))),
  daemon: [...commands, ...codeSpans].flatMap((line) => callsOf('fiskd', line)),
}))

describe.each(withCalls.filter(({ whole, mentioned }) => whole.length + mentioned.length > 0))('$path', (document) => {
  test('has only complete command lines of fisk in its blocks, with commands and options that exist', () => {
    const wrong = document.whole.map(({ line, words }) => ({ line, problems: problemsWith(words, true) }))
    expect(wrong.filter(({ problems }) => problems.length > 0)).toEqual([])
  })

  test('mentions only commands and options of fisk that exist', () => {
    const wrong = document.mentioned.map(({ line, words }) => ({ line, problems: problemsWith(words, false) }))
    expect(wrong.filter(({ problems }) => problems.length > 0)).toEqual([])
  })
})

test('the documents have command lines to check', () => {
  expect(withCalls.flatMap(({ whole }) => whole).length).toBeGreaterThan(5)
  expect(withCalls.flatMap(({ mentioned }) => mentioned).length).toBeGreaterThan(50)
})

test.each([
  ['status --json --device X', []],
  ['stats', ['fisk has no command stats']],
  ['key create', ['--mode is missing']],
  ['key create --mode tst', ['--mode does not take tst']],
  ['backup', ['file is missing']],
  ['isu set D 1 2', ['2 is too much']],
  ['restore FILE --gaps 3', ['restore has no option --gaps', '3 is too much']],
])('fisk %s has the problems %j', (line, problems) => {
  expect(problemsWith(wordsOf(line), true)).toEqual(problems)
})

test('the documents name only options of fiskd that it has', () => {
  const help = execFileSync(process.execPath, [FISKD, '--help'], { encoding: 'utf8' })
  const options = withCalls.flatMap(({ daemon }) => daemon.flat()).filter((word) => word.startsWith('--'))
  expect(options.length).toBeGreaterThan(0)
  expect(options.filter((option) => !help.includes(option))).toEqual([])
})
