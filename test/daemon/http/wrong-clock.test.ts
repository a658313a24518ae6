import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { cpSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/daemon/config.ts'
import { ensureLocalTls } from '../../../src/daemon/http/local-server-certificate.ts'
import { startDaemon } from '../../../src/daemon/lifecycle/daemon.ts'
import { createLog } from '../../../src/daemon/lifecycle/log.ts'
import { prepare } from '../../../src/daemon/lifecycle/prepare.ts'
import { call } from '../../support/call.ts'
import { healthyMachine } from '../../support/machine.ts'
import { DIST } from '../../support/programs.ts'
import { tempDir } from '../../support/temp-dir.ts'

const YEAR_MS = 365 * 86_400_000
const until = (year: number) => Date.UTC(year, 5, 1) - Date.now()

/** A data directory, and daemons on it whose clock shows another time than it is. */
async function machine() {
  const dataDir = await tempDir()
  const config = readConfig({
    FISKD_DATA_DIR: dataDir,
    FISKD_LISTEN: '127.0.0.1:0',
    FISKD_LOG_LEVEL: 'silent',
    FISKD_CIS_TEST_URL: 'https://127.0.0.1:1/',
  })
  const start = async (aheadMs: number, synchronised: boolean | null) => {
    const now = () => Date.now() + aheadMs
    const clock = { now, elapsed: () => performance.now(), synchronised: async () => synchronised }
    const daemon = await startDaemon(config, createLog('silent'), clock, healthyMachine())
    onTestFinished(() => daemon.close())
    return daemon
  }
  const tls = (name: string) => readFileSync(join(dataDir, 'tls', name), 'utf8')
  /** As a client with a right clock sees it. */
  const reach = async ({ urls }: { urls: string[] }) =>
    (await call({ base: String(urls[0]), ca: tls('ca.pem') }, { path: '/v1/countries/HR/schemas' })).status
  return { dataDir, config, start, tls, reach }
}

test.each([
  ['a year', YEAR_MS],
  ['to 2036', until(2036)],
  ['to 2069', until(2069)],
])(
  'a first start with a clock that is ahead, %s, makes a CA that clients with a right clock trust',
  async (_, aheadMs) => {
    const { start, tls, reach } = await machine()
    const first = await start(aheadMs, null)
    expect(await reach(first)).toBe(200)
    const ca = tls('ca.pem')
    await first.close()

    const second = await start(0, true)
    expect(await reach(second)).toBe(200)
    expect(tls('ca.pem')).toBe(ca)
    expect(Date.parse(new X509Certificate(tls('server.pem')).validTo)).toBeLessThan(Date.now() + 397 * 86_400_000)
  },
)

test('what is prepared before the first start is no different, nor is it with a clock that is far behind', async () => {
  for (const at of [Date.now() + YEAR_MS, Date.UTC(2069, 0)]) {
    const { config, tls } = await machine()
    await prepare(config, at)
    for (const name of ['ca.pem', 'server.pem']) {
      expect(Date.parse(new X509Certificate(tls(name)).validFrom)).toBeLessThan(Date.now())
      expect(Date.parse(new X509Certificate(tls(name)).validTo)).toBeGreaterThan(Date.now() + YEAR_MS)
    }
  }
})

test('the built program has no certificate begin later than its build', async () => {
  const dir = await tempDir()
  for (const name of ['dist', 'package.json']) cpSync(join(DIST, '..', name), join(dir, name), { recursive: true })
  symlinkSync(join(DIST, '../node_modules'), join(dir, 'node_modules'))
  const builtAt = Date.now() - 30 * 86_400_000
  const told = join(dir, 'dist/build.json')
  const build = JSON.parse(readFileSync(told, 'utf8'))
  expect(Date.parse(build.builtAt)).toBeGreaterThan(builtAt)
  writeFileSync(told, JSON.stringify({ ...build, builtAt: new Date(builtAt) }))
  const env = { PATH: process.env.PATH, FISKD_DATA_DIR: join(dir, 'data') }
  execFileSync(process.execPath, [join(dir, 'dist/daemon/main.js'), '--prepare'], { env, stdio: 'pipe' })
  for (const name of ['ca.pem', 'server.pem']) {
    const { validFrom } = new X509Certificate(readFileSync(join(dir, 'data/tls', name)))
    expect(Date.parse(validFrom)).toBeLessThanOrEqual(builtAt)
  }
})

test('a CA that a wrong clock began in the future is made anew once the time is proven, and not before', async () => {
  const { dataDir, config, start, tls, reach } = await machine()
  await prepare(config, Date.now())
  const dir = join(dataDir, 'tls')
  rmSync(dir, { recursive: true })
  const future = Date.now() + YEAR_MS
  await ensureLocalTls({ dir, names: [], clock: { now: future, since: future, isProven: false } })
  const ca = tls('ca.pem')
  const unproven = await start(0, null)
  expect(tls('ca.pem')).toBe(ca)
  await expect(reach(unproven)).rejects.toThrow(/not yet valid/)
  await unproven.close()

  const proven = await start(0, true)
  expect(tls('ca.pem')).not.toBe(ca)
  expect(await reach(proven)).toBe(200)
})
