import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { browserOf } from '../support/dashboard.ts'
import { eventually } from '../support/eventually.ts'
import { DIST, FISK } from '../support/programs.ts'
import { inProject } from '../support/stand-in.ts'
import { tempDir } from '../support/temp-dir.ts'
import { skipWithout } from '../support/tools.ts'

const ARGV = ['--import', 'tsx', inProject('scripts/demo/main.ts'), '--dist', DIST]
/** What the demo leaves in its folder for temporary files is its own. */
const envOf = (TMPDIR: string) => ({ ...process.env, TMPDIR, TSX_DISABLE_CACHE: '1' })
/** npm says first which script it runs. */
const LINES_OF_NPM = 4

test('the demo shows each kind of sale and one code on paper in less than 100 lines, and leaves nothing behind', async () => {
  const TMPDIR = await tempDir()
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ARGV, {
    cwd: inProject('.'),
    env: envOf(TMPDIR),
  })
  expect(stderr).toBe('')
  expect(stdout.split('\n').length - 1 + LINES_OF_NPM).toBeLessThan(100)
  expect(stdout.match(/skenirajte kod/g)).toHaveLength(1)
  for (const seen of ['HTTP 200: confirmed', 'HTTP 200: retrying', 'HTTP 400: hr.amount_out_of_range', '  late']) {
    expect(stdout).toContain(seen)
  }
  expect(stdout).toContain('npm run demo -- --stay')
  expect(readdirSync(TMPDIR)).toEqual([])
})

test('a wrong option ends it with what it takes', () => {
  const { status, stderr } = spawnSync(process.execPath, [...ARGV, '--stays'], { encoding: 'utf8' })
  expect(status).toBe(2)
  expect(stderr).toMatch(/--stays[\s\S]*npm run demo \[-- --stay\]/)
})

test.skipIf(skipWithout('curl', 'python3'))(
  'the demo that stays sells by the lines that it prints, lets its user sign in, and is gone after Ctrl-C',
  async () => {
    const TMPDIR = await tempDir()
    const demo = spawn(process.execPath, [...ARGV, '--stay'], { cwd: inProject('.'), env: envOf(TMPDIR) })
    const ended = once(demo, 'close')
    onTestFinished(async () => {
      demo.kill('SIGKILL')
      await ended
    })
    let out = ''
    demo.stdout.setEncoding('utf8').on('data', (text) => (out += text))
    demo.stderr.setEncoding('utf8').on('data', (text) => (out += text))
    await eventually(() => expect(out).toMatch(/Dashboard: .*\n\n/))

    /** As somebody pastes it into a terminal, in the folder of the project. */
    const pasted = (...lines: string[]) =>
      execFileSync('sh', ['-ec', lines.join('\n')], { cwd: inProject('.'), encoding: 'utf8', stdio: 'pipe' })
    const line = (beginning: string) => out.split('\n').filter((one) => one.startsWith(beginning))
    const [curl = '', misbehave = ''] = line('curl ')
    const sales = [1, 2].map(() => JSON.parse(pasted(curl)))
    expect(sales.map(({ status, number }) => [status, number])).toEqual([
      ['confirmed', '4'],
      ['confirmed', '5'],
    ])

    const exports = line('export ')
    expect(pasted(...exports, line('echo ')[0] ?? '')).toMatch(/^screen 1 https:.*\ngoods 1\n$/)
    const [list = '', status = ''] = line('node bin/fisk.js ').map((one) => one.replace('bin/fisk.js', FISK))
    expect(pasted(...exports, list).match(/confirmed/g)).toHaveLength(6)
    expect(pasted(...exports, status)).toContain('Kavomat 1')
    pasted(misbehave)
    expect(JSON.parse(pasted(curl)).status).toBe('failed')

    const [, address = '', name = '', password = ''] =
      /Dashboard: (\S+)\/dashboard .* user (\S+), password (\S+)/.exec(out) ?? []
    const [, file = ''] = /FISKD_CA=(\S+)/.exec(out) ?? []
    const browser = browserOf(() => ({ base: address, ca: readFileSync(file, 'utf8') }))
    const signedIn = await browser.post('/dashboard/sign-in', { name, password })
    expect(signedIn).toMatchObject({ status: 303, to: '/dashboard' })
    expect((await browser.get('/dashboard')).status).toBe(200)

    demo.kill('SIGINT')
    expect(await ended).toEqual([0, null])
    expect(readdirSync(TMPDIR)).toEqual([])
  },
)
