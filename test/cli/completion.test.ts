import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { atTheEndOfFile } from '../support/file-end.ts'
import { fisk } from '../support/fisk.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fisk-'))
  atTheEndOfFile(() => rm(directory, { recursive: true }))
  await writeFile(join(directory, 'fisk'), (await fisk(['completion', 'bash'])).stdout)
  await writeFile(join(directory, 'my fleet.csv'), '')
})

/** What bash offers when TAB is pressed after the words; the last one has been begun, or is empty. */
async function offered(...words: string[]): Promise<string[]> {
  // A shell's own reading of the line makes words of "=" too.
  const typed = words.flatMap((word) => (word.startsWith('--') ? word.split(/(=)/) : [word]))
  const quoted = ['fisk', ...typed].map((word) => `'${word}'`).join(' ')
  const script = `source ./fisk; COMP_WORDS=(${quoted}); COMP_CWORD=${typed.length}
    _fisk; for word in "\${COMPREPLY[@]}"; do echo "$word"; done; complete -p fisk >&2`
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', script], { cwd: directory })
  expect(stderr).toBe('complete -F _fisk fisk\n')
  return stdout.split('\n').filter(Boolean).sort()
}

test.each<[words: string[], expected: string[]]>([
  [['stat'], ['status']],
  [['i'], ['init', 'invoice', 'isu']],
  [
    ['isu', ''],
    ['clear', 'pending', 'set'],
  ],
  [['--json', 'isu', 'p'], ['pending']],
  [['--socket', 'isu', 'isu', 'p'], ['pending']],
  [['key', 'create', '--mo'], ['--mode']],
  [
    ['key', 'create', '--mode', ''],
    ['live', 'test'],
  ],
  [['key', 'create', '--mode=l'], ['live']],
  [
    ['key', 'create', '--mode='],
    ['live', 'test'],
  ],
  [['key', 'create', '--name=isu', '--mode', 't'], ['test']],
  [['company', 'set', '02994650199', '--vat-rate', '2'], ['25.00']],
  [['company', 'set', '02994650199', '--no-v'], ['--no-vat-rate']],
  [['device', 'set', '--label', ''], []],
  [['device', 'import', 'my'], ['my fleet.csv']],
  [['cert', 'add', '--file', 'my'], ['my fleet.csv']],
  [['status', '--js'], ['--json']],
  [['completion', ''], ['bash']],
])('after fisk %j bash offers %j', async (words, expected) => {
  expect(await offered(...words)).toEqual(expected)
})

test('every command is offered, and every one of its options', async () => {
  const { stdout } = await fisk(['printer', 'set', '--help'])
  const options = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, long]) => String(long))
  expect(options.length).toBeGreaterThan(15)
  expect(await offered('printer', 'set', '-')).toEqual(expect.arrayContaining(options))
})

test('with --json the script is a member of an object', async () => {
  const { code, stdout } = await fisk(['completion', 'bash', '--json'])
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, shell: 'bash' })
  expect((await fisk(['completion', 'fish'])).code).toBe(2)
})
