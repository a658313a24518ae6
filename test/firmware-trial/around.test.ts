import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { FISK } from '../support/programs.ts'
import { tempDir } from '../support/temp-dir.ts'
import { skipWithout } from '../support/tools.ts'
import { buildClient, firmwareTrial } from './support/trial.ts'

let client: string
beforeAll(async () => {
  client = await buildClient()
})

const PLAIN = ['--scenario', 'plain', '--']

test('the JUnit file holds the scenarios, and the text names what failed and how to try again', async () => {
  const file = join(await tempDir(), 'trial.xml')
  const args = ['--junit', file, '--patience', '5', ...PLAIN, process.execPath, client, 'float-total']
  const { code, out } = await firmwareTrial(...args)
  expect(code).toBe(1)
  expect(out).toContain('money-string (sale 1)')
  expect(out).toContain('total was 2.5 instead of "2.50".')
  expect(out).toContain('docs/firmware.md#post-a-sale')
  expect(out).toContain('--scenario plain')
  expect(readFileSync(file, 'utf8')).toMatch(
    /<testsuites tests="1" failures="1".*<failure type="rule" message="money-string">/s,
  )
})

test('the log of the firmware is shown when it is asked for, and controls no terminal', async () => {
  const noisy = `printf '\\033[2Jhello\\n'; exec "${process.execPath}" "${client}"`
  const { code, err } = await firmwareTrial('--verbose', ...PLAIN, 'sh', '-c', noisy)
  expect(code).toBe(0)
  expect(err).toContain('plain:  [2Jhello')
  expect(err).not.toContain('\u001b')
})

test('with --listen all scenarios have one address, one after another', async () => {
  const seen = join(await tempDir(), 'seen')
  writeFileSync(seen, '')
  const told = `echo "$FISKD_URL" >> ${seen}; exec "${process.execPath}" "${client}"`
  const args = ['--listen', '127.0.0.2', '--scenario', 'plain', 'answer-lost', '--', 'sh', '-c', told]
  expect(await firmwareTrial(...args)).toMatchObject({ code: 0 })
  const urls = readFileSync(seen, 'utf8').trim().split('\n')
  expect(urls).toHaveLength(2)
  expect(new Set(urls).size).toBe(1)
  expect(urls[0]).toMatch(/^https:\/\/127\.0\.0\.2:\d+$/)
})

test('a trial that is interrupted leaves no process and no file', async () => {
  const dir = await tempDir()
  const env = { PATH: process.env.PATH, TMPDIR: dir }
  const args = [FISK, 'firmware-trial', '--scenario', 'silence', '--', process.execPath, client]
  const trial = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void trial.kill('SIGKILL'))
  const ended = once(trial, 'close')
  trial.stdout.resume()
  await expect.poll(() => processesIn(dir).length).toBeGreaterThan(1)
  trial.kill('SIGINT')
  expect(await ended).toEqual([130, null])
  await expect.poll(() => processesIn(dir)).toEqual([])
  expect(readdirSync(dir)).toEqual([])
})

/** Processes that know the folder by their environment: the daemon and the firmware. */
function processesIn(dir: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`=${dir}/`)
    } catch {
      return false
    }
  })
}

describe.skipIf(skipWithout('strace'))('strace', () => {
  test('the trial opens nothing of an installed fiskd, and connects to loopback only', async () => {
    const dir = await tempDir()
    mkdirSync(join(dir, 'tmp'))
    const trace = join(dir, 'trace')
    // As on a machine whose service has its own configuration.
    const env = { PATH: process.env.PATH, TMPDIR: join(dir, 'tmp'), FISKD_SOCKET: '/run/fiskd/fiskd.sock' }
    const watched = ['-f', '-qq', '-o', trace, '-e', 'trace=%file,connect,bind']
    const args = [...watched, process.execPath, FISK, 'firmware-trial', ...PLAIN, process.execPath, client]
    expect(spawnSync('strace', args, { env, encoding: 'utf8' })).toMatchObject({ status: 0 })
    const calls = readFileSync(trace, 'utf8').split('\n')
    expect(calls.length).toBeGreaterThan(1000)
    expect(
      calls.filter((call) => /"\/(var\/lib|run|var\/log)\/fiskd/.test(call) && !/^\d+ +(stat|statx|access)/.test(call)),
    ).toEqual([])
    const inet = calls.filter((call) => /(connect|bind)\(.*AF_INET/.test(call))
    expect(inet.length).toBeGreaterThan(0)
    expect(inet.filter((call) => !/"127\.0\.0\.\d+"|"::1"/.test(call))).toEqual([])
  })
})
