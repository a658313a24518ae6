import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { commandFor, shellWord, withDeviceName } from '../../src/domain/shell-word.ts'

test.each([
  ['Lobby', 'Lobby'],
  ['Šank-2', '"Šank-2"'],
  ['Lobby 1', '"Lobby 1"'],
  ["Ivo's", `"Ivo's"`],
  ['$(reboot)', `'$(reboot)'`],
  [`a'b"c`, `'a'\\''b"c'`],
  ['-x', '"-x"'],
  ['', '""'],
])('%s is typed as %s', (text, typed) => {
  expect(shellWord(text)).toBe(typed)
})

test.each([
  'Lobby 1',
  '$HOME `id` "x" \\ !1',
  "it's; & | > < * ? ~",
  '#1',
  '{a,b}',
  'ž š',
  'a\u001b[2J\nb',
  'ž\r',
  ' a',
  'a ',
  'a  b',
  '\u202ea',
  'a\u00a0b',
  "it's\\ \tx",
])('a shell reads %s as it was meant', (text) => {
  expect(execFileSync('bash', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })).toBe(text)
})

test.each([
  ['Čokomat ž\r', "$'Čokomat ž\\x0d'"],
  ['a  b', "$'a\\x20\\x20b'"],
  ['A\u202eB', "$'A\\xe2\\x80\\xaeB'"],
])('what nobody can type stands as bytes in the command about %j', (text, typed) => {
  expect(shellWord(text)).toBe(typed)
  expect(typed).not.toMatch(/[\p{C}]| {2}/u)
})

test('a name that begins with a dash stands behind the options and --', () => {
  expect(withDeviceName('fisk isu set DEVICE NUMBER', 'Lobby 1')).toBe('fisk isu set "Lobby 1" NUMBER')
  expect(withDeviceName('fisk isu set DEVICE NUMBER', '-x')).toBe('fisk isu set -- "-x" NUMBER')
  expect(withDeviceName('Once more: fisk device set DEVICE --status active', '-x')).toBe(
    'Once more: fisk device set --status active -- "-x"',
  )
  expect(withDeviceName('Either fisk printer test DEVICE. Or wait.', '-x')).toBe(
    'Either fisk printer test -- "-x". Or wait.',
  )
})

test('a command whose values are filled in keeps them whole beside a name that begins with a dash', () => {
  const options = ` --line ${shellWord('usb:/dev/usb/lp0')} --label ${shellWord('Lobby 1')}`
  expect(commandFor('fisk printer set', 'Šank', { options })).toBe(
    'fisk printer set "Šank" --line usb:/dev/usb/lp0 --label "Lobby 1"',
  )
  expect(commandFor('fisk printer set', '-x', { options })).toBe(
    'fisk printer set --line usb:/dev/usb/lp0 --label "Lobby 1" -- "-x"',
  )
  expect(commandFor('fisk isu set', '-x', { operands: ' 101' })).toBe('fisk isu set -- "-x" 101')
})
