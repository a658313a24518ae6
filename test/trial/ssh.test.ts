import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { connect } from '../../scripts/trial/ssh.ts'

test('words arrive in a machine as they were, through the shell that ssh gives them to', () => {
  const { enter } = connect({ key: 'key', knownHosts: 'hosts', port: 22, socket: '/none' })
  const words = ['printf', '%s|', "it's", '$HOME `id` "x"', '', 'two\nlines', '\\']
  const line = String(enter(words).at(-1))
  expect(execFileSync('sh', ['-c', line], { encoding: 'utf8' })).toBe(`${words.slice(2).join('|')}|`)
})
