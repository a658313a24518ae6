import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startMain } from '../support/main-process.ts'
import { SIMULATOR } from '../support/programs.ts'
import { tempDir } from '../support/temp-dir.ts'

const start = (...args: string[]) => startMain(SIMULATOR, args)

async function ended(running: ReturnType<typeof start>): Promise<{ code: unknown; err: string }> {
  const [code] = await once(running.child, 'close')
  return { code, err: running.err }
}

test('it listens and writes its files, and ends on SIGTERM', async () => {
  const dir = await tempDir()
  const running = start('--port', '0', '--dir', dir)
  while (!running.out.includes('Ctrl-C')) await once(running.child.stdout, 'data')
  expect(running.out).toContain('export FISKD_CIS_TEST_URL=https://127.0.0.1:')
  expect(await readFile(join(dir, 'bundle.pem'), 'utf8')).toContain('BEGIN CERTIFICATE')
  expect(await readFile(join(dir, 'company.passphrase'), 'utf8')).toBe('lozinka')
  running.child.kill('SIGTERM')
  expect(await ended(running)).toEqual({ code: 0, err: '' })
})

test('where the port is in use it says so in one line, and the files of whoever uses it stay as they are', async () => {
  const holder = createServer()
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void holder.close())
  const { port } = holder.address() as AddressInfo
  const dir = await tempDir()
  expect(await ended(start('--port', `${port}`, '--dir', dir))).toEqual({
    code: 1,
    err: `The simulator did not start: port ${port} is in use: end what listens there, or choose another one with --port\n`,
  })
  expect(existsSync(join(dir, 'bundle.pem'))).toBe(false)
})

test('where its files cannot be written it does not go on listening', async () => {
  const { code, err } = await ended(start('--port', '0', '--dir', '/dev/null/nowhere'))
  expect(code).toBe(1)
  expect(err).toMatch(/^The simulator did not start: [^\n]+\n$/)
})

test('an unknown option and a bad value are named, with the help and without a stack', async () => {
  for (const [args, reason] of [
    [['--prot', '1'], "Unknown option '--prot'"],
    [['--port', 'x'], '--port x: give a port number'],
    [['--oib', '1'], '--oib 1: give 11 digits'],
  ] as const) {
    const { code, err } = await ended(start(...args))
    expect(code).toBe(2)
    expect(err.startsWith(reason)).toBe(true)
    expect(err).toContain('npm run simulator --')
    expect(err).not.toMatch(/^\s+at /m)
  }
})
