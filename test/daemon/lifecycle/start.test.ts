import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pino from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../../src/daemon/config.ts'
import { startDaemon } from '../../../src/daemon/lifecycle/daemon.ts'
import { prepare } from '../../../src/daemon/lifecycle/prepare.ts'
import { createPki } from '../../../src/simulator/pki.ts'
import { runDaemon } from '../../support/daemon-process.ts'
import { startEmptyGateway, startGateway } from '../../support/gateway.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { pki } from '../../support/pki.ts'
import { FISKD } from '../../support/programs.ts'
import { tempDir } from '../../support/temp-dir.ts'

const start = (env: Record<string, string>) =>
  startDaemon(readConfig({ FISKD_LISTEN: '127.0.0.1:0', ...env }), pino({ level: 'silent' }))

test('the preparation makes what the first start makes, once', async () => {
  const dataDir = await tempDir()
  const config = readConfig({ FISKD_DATA_DIR: dataDir })
  const first = await prepare(config, Date.now())
  expect(first.created).toEqual([first.database, first.vault_key, first.tls_ca])
  expect(first.created.every((path) => existsSync(path))).toBe(true)
  expect((await prepare(config, Date.now())).created).toEqual([])
})

test('the preparation is a process that says what it made, and ends', async () => {
  const env = { PATH: process.env.PATH, FISKD_DATA_DIR: await tempDir() }
  const { stdout } = await promisify(execFile)(process.execPath, [FISKD, '--prepare'], { env })
  expect(JSON.parse(stdout).created).toHaveLength(3)
})

test('a file that is no socket is not removed to make one', async () => {
  const dataDir = await tempDir()
  const precious = join(dataDir, 'precious')
  writeFileSync(precious, 'keep me')
  await expect(start({ FISKD_DATA_DIR: dataDir, FISKD_SOCKET: precious })).rejects.toThrow('not a socket')
  expect(readFileSync(precious, 'utf8')).toBe('keep me')
})

test('the socket of a running daemon is not taken over', async () => {
  const gateway = await startEmptyGateway()
  const env = { FISKD_DATA_DIR: await tempDir(), FISKD_SOCKET: gateway.socketPath }
  await expect(start(env)).rejects.toThrow(`answers on ${gateway.socketPath}`)
  expect((await gateway.admin('/admin/status')).status).toBe(200)
})

test('a socket that a crash left behind is replaced', async () => {
  const gateway = await startEmptyGateway()
  await gateway.stop()
  writeFileSync(join(gateway.dataDir, 'note'), '')
  await gateway.restart()
  expect((await gateway.admin('/admin/status')).status).toBe(200)
})

test('a socket path that is too long is refused by name before anything is made', () => {
  const dataDir = join('/tmp', 'x'.repeat(120))
  expect(() => readConfig({ FISKD_DATA_DIR: dataDir })).toThrow('FISKD_SOCKET')
})

test('what cannot be read or used is named', async () => {
  const dataDir = await tempDir()
  const file = join(dataDir, 'file')
  writeFileSync(file, 'no certificate')
  await expect(start({ FISKD_DATA_DIR: file })).rejects.toThrow('FISKD_DATA_DIR')
  const missing = { FISKD_TLS_CERT: join(dataDir, 'nowhere.pem'), FISKD_TLS_KEY: file }
  await expect(start({ FISKD_DATA_DIR: dataDir, ...missing })).rejects.toThrow('FISKD_TLS_CERT')
  const broken = { FISKD_TLS_CERT: file, FISKD_TLS_KEY: file }
  await expect(start({ FISKD_DATA_DIR: dataDir, ...broken })).rejects.toThrow('FISKD_TLS_CERT and FISKD_TLS_KEY')
})

test('the operator brings a certificate of their own', async () => {
  const made = await startEmptyGateway()
  const tls = (name: string) => join(made.dataDir, 'tls', name)
  const own = { FISKD_TLS_CERT: tls('server.pem'), FISKD_TLS_KEY: tls('server.key') }
  const gateway = await startEmptyGateway(own)
  expect(existsSync(join(gateway.dataDir, 'tls'))).toBe(false)
})

test('one company without a certificate does not keep another from selling', async () => {
  const gateway = await startGateway()
  await gateway.admin('/v1/companies', { body: { name: 'Nova', oib: '18683136487' } })
  expect((await gateway.admin('/admin/status')).body).toMatchObject({ can_sell: true, problems: [{ subject: 'Nova' }] })
})

test('an added trust bundle is used by the next sale, without a restart', async () => {
  const gateway = await startGateway()
  await gateway.stop()
  writeFileSync(join(gateway.dataDir, 'trust', 'test.pem'), (await createPki()).bundlePem)
  await gateway.restart()
  expect((await gateway.sell()).status).toBe('retrying')
  const body = { mode: 'test', for: 'service', certificates: Buffer.from(pki.bundlePem).toString('base64') }
  expect((await gateway.admin('/admin/trust', { body })).status).toBe(200)
  expect((await gateway.sell()).status).toBe('confirmed')
})

test('what a life has compiled is used by the next, wherever the power goes', async () => {
  const gateway = await startGateway()
  const folder = await tempDir()
  const start = () => runDaemon(gateway, onTestFinished, { env: { NODE_COMPILE_CACHE: folder } })
  const kept = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((path) => statSync(path).isFile())
  const first = await start()
  expect(await first.post()).toMatchObject({ status: 200 })
  await expect.poll(() => kept().length, { timeout: PATIENCE_MS }).toBeGreaterThan(20)
  first.signal('SIGKILL')
  await first.ended
  // The time of a file is set back, so that a write shows: Node writes what it refused anew.
  const files = kept()
  for (const path of files) utimesSync(path, 1, 1)
  const second = await start()
  expect(await second.post()).toMatchObject({ status: 200 })
  await second.stop()
  expect(files.filter((path) => statSync(path).mtimeMs !== 1000)).toEqual([])
})
