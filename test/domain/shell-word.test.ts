import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { shellWord } from '../../src/domain/shell-word.ts'

test.each([
  ['Lobby', 'Lobby'],
  ['Šank-2', 'Šank-2'],
  ['Lobby 1', '"Lobby 1"'],
  ["Ivo's", `"Ivo's"`],
  ['$(reboot)', `'$(reboot)'`],
  [`a'b"c`, `'a'\\''b"c'`],
  ['-x', '"-x"'],
  ['', '""'],
])('%s is typed as %s', (text, typed) => {
  expect(shellWord(text)).toBe(typed)
})

test.each(['Lobby 1', '$HOME `id` "x" \\ !1', "it's; & | > < * ? ~", '#1', '{a,b}', 'ž š'])(
  'a shell reads %s as it was meant',
  (text) => {
    expect(execFileSync('bash', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })).toBe(text)
  },
)

test('control characters are not typed', () => {
  expect(shellWord('a\u001b[2J\nb')).toBe('"a [2J b"')
})
