import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { shellWord } from '../../src/domain/shell-word.ts'
import { runDaemon } from '../support/daemon-process.ts'
import { startEmptyGateway } from '../support/gateway.ts'
import { FISK } from '../support/programs.ts'
import { tempDir } from '../support/temp-dir.ts'

/** A terminal in a folder of its own, in which the variables of another one were forgotten. */
async function terminal(name = 'kupac č 1') {
  const folder = join(realpathSync(await tempDir()), name)
  mkdirSync(folder)
  const fisk = async (argv: string[], env: Record<string, string> = {}) => {
    const around = {
      PATH: String(process.env.PATH),
      FISKD_ENV_FILE: '/nowhere/fiskd.env',
      FISKD_LISTEN: UNUSED,
      ...env,
    }
    const ran = promisify(execFile)(process.execPath, [FISK, ...argv], { cwd: folder, env: around })
    const { code, stdout, stderr } = await ran.then(
      (said) => ({ ...said, code: 0 }),
      (error) => error,
    )
    return { code, stdout, stderr: String(stderr).replace(/\s+/g, ' ') }
  }
  /** Something that an installation has made, in a folder that is named relative to this one. */
  const put = (path: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    if (path.endsWith('tls')) mkdirSync(join(folder, path))
    else writeFileSync(join(folder, path), '')
  }
  return { folder, fisk, put, made: () => existsSync(join(folder, 'data')) }
}

/** Nothing of the machine that the tests run on is to count. */
const UNUSED = '127.0.0.1:1'

test.each([
  'gateway/fiskd.db',
  'gateway/vault.key',
  'gateway/tls',
  'fiskd.db',
  '../vault.key',
  '../data/tls',
  'a/data/fiskd.db',
])('init makes no second installation beside %s: it names both folders, the variable and --new', async (found) => {
  const { folder, fisk, put, made } = await terminal()
  put(found)
  const { code, stderr } = await fisk(['init'])
  const there = join(folder, found, '..')
  expect(code).toBe(1)
  expect(stderr).toContain(`another installation, in ${folder}/data, beside the data in ${there}`)
  expect(stderr).toContain(`export FISKD_DATA_DIR=${shellWord(there)}; else: fisk init --new`)
  expect(made()).toBe(false)
})

test('--new, FISKD_DATA_DIR and --socket say what is meant, and a second run in the same folder finds it', async () => {
  const { folder, fisk, put, made } = await terminal()
  put('gateway/fiskd.db')
  expect((await fisk(['init'], { FISKD_DATA_DIR: join(folder, 'own') })).code).toBe(0)
  expect(made()).toBe(false)
  expect((await fisk(['init', '--socket', join(folder, 'x.sock')])).code).toBe(0)
  expect(made()).toBe(true)
  const other = await terminal()
  other.put('../vault.key')
  expect((await other.fisk(['init', '--new'])).code).toBe(0)
  expect((await other.fisk(['init'])).stdout).toContain('Everything was there already.')
  const alone = await terminal()
  expect((await alone.fisk(['init'])).code).toBe(0)
})

test('what answers where a new daemon would listen is found with its folder, and so typed the command asks that one', async () => {
  const gateway = await startEmptyGateway()
  const daemon = await runDaemon(gateway, onTestFinished)
  const { folder, fisk, made } = await terminal()
  const env = { FISKD_LISTEN: `[::1]:1,127.0.0.1:${daemon.port}` }
  const { code, stderr } = await fisk(['init'], env)
  expect(code).toBe(1)
  expect(stderr).toContain(`in ${folder}/data, beside what answers on 127.0.0.1:${daemon.port}.`)
  expect(stderr).toContain(`export FISKD_DATA_DIR=${shellWord(realpathSync(gateway.dataDir))}; else: fisk init --new`)
  expect(made()).toBe(false)
  expect((await fisk(['init', '--new'], env)).code).toBe(0)
})

test('a port that another program has is told, too', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { fisk } = await terminal()
  const { code, stderr } = await fisk(['init'], { FISKD_LISTEN: `127.0.0.1:${(server.address() as AddressInfo).port}` })
  expect(code).toBe(1)
  expect(stderr).toContain('--new')
})

test('status and doctor name the socket as a whole path, the variable, and the data that is near', async () => {
  const { folder, fisk, put } = await terminal()
  const status = await fisk(['status'])
  expect(status.stderr).toContain(`No daemon answers on ${folder}/data/fiskd.sock.`)
  expect(status.stderr).toContain('Name the folder in FISKD_DATA_DIR')
  const doctor = JSON.parse((await fisk(['doctor', '--json'])).stdout).checks[0]
  expect(doctor.fix.en).toContain('Name the folder in FISKD_DATA_DIR')
  expect(doctor.fix.hr).toContain('Mapu navedite u FISKD_DATA_DIR')
  put('gateway/fiskd.db')
  const meant = `export FISKD_DATA_DIR="${folder}/gateway"`
  expect((await fisk(['status'])).stderr).toContain(meant)
  expect(JSON.parse((await fisk(['doctor', '--json'])).stdout).checks[0].fix.en).toContain(meant)
})
