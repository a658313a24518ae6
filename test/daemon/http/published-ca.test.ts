import { X509Certificate } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { multicastNames, namesOf } from '../../../src/daemon/http/server-tls.ts'
import { call } from '../../support/call.ts'
import { type Gateway, startEmptyGateway, startGateway } from '../../support/gateway.ts'
import { tempDir } from '../../support/temp-dir.ts'

type Status = { ca: { file: string; sha256: string } | null }

const pinned = (gateway: Gateway) => readFileSync(join(gateway.dataDir, 'tls/ca.pem'), 'utf8')
const statusOf = async (gateway: Gateway) => (await gateway.admin<Status>('/admin/status')).body
const fetchCa = (gateway: Gateway, options: { method?: string; headers?: Record<string, string> } = {}, ca?: string) =>
  call({ base: gateway.url, ca: ca ?? pinned(gateway) }, { path: '/ca.pem', ...options })

test('every local user finds the CA outside of the data directory, and never its key', async () => {
  const folder = await tempDir()
  const file = join(folder, 'ca.pem')
  const gateway = await startEmptyGateway({ FISKD_CA_FILE: file })
  expect(readFileSync(file, 'utf8')).toBe(pinned(gateway))
  expect(statSync(file).mode & 0o777).toBe(0o644)
  expect(readdirSync(folder)).toEqual(['ca.pem'])
  const { fingerprint256 } = new X509Certificate(pinned(gateway))
  expect((await statusOf(gateway)).ca).toEqual({ file, sha256: fingerprint256 })

  // Somebody's mistake must not publish a key.
  writeFileSync(
    join(gateway.dataDir, 'tls/ca.pem'),
    pinned(gateway) + readFileSync(join(gateway.dataDir, 'tls/ca.key')),
  )
  for (const break_ of [() => rmSync(file), () => writeFileSync(file, 'x'), () => chmodSync(file, 0o600)]) {
    break_()
    await gateway.restart()
    expect(readFileSync(file, 'utf8')).toBe(new X509Certificate(pinned(gateway)).toString())
    expect(statSync(file).mode & 0o777).toBe(0o644)
  }
  expect((await fetchCa(gateway)).text).not.toContain('PRIVATE')
})

test('a copy that cannot be written disturbs no start, and is named in the log', async () => {
  const file = join(await tempDir(), 'not-there/ca.pem')
  const lines: string[] = []
  const logTo = { write: (line: string) => void lines.push(line) }
  const gateway = await startGateway({ FISKD_CA_FILE: file, FISKD_LOG_LEVEL: 'warn' }, logTo)
  expect(existsSync(file)).toBe(false)
  expect((await statusOf(gateway)).ca?.file).toBe(join(gateway.dataDir, 'tls/ca.pem'))
  await expect.poll(() => lines.join('')).toContain(`could not be written to ${file}: sudo systemd-tmpfiles --create`)
})

test('whoever reaches the listener gets the CA without a key, and asks cheaply whether it is still the same', async () => {
  const gateway = await startEmptyGateway()
  const got = await fetchCa(gateway)
  expect(got).toMatchObject({ status: 200, text: pinned(gateway) })
  expect(got.headers).toMatchObject({ 'content-type': 'application/x-pem-file', 'cache-control': 'no-cache' })
  const etag = String(got.headers.etag)
  const again = await fetchCa(gateway, { headers: { 'if-none-match': etag } })
  expect(again).toMatchObject({ status: 304, text: '' })
  expect(again.headers.etag).toBe(etag)
  expect(await fetchCa(gateway, { headers: { 'if-none-match': '"of another"' } })).toMatchObject({ status: 200 })
  const head = await fetchCa(gateway, { method: 'HEAD' })
  expect(head).toMatchObject({ status: 200, text: '' })
  expect(head.headers['content-length']).toBe(String(pinned(gateway).length))
  expect(await gateway.admin('/ca.pem')).toMatchObject({ status: 404 })
})

test('with a certificate of the operator no CA is given out that does not fit, and the copy is taken away', async () => {
  const folder = await tempDir()
  const file = join(folder, 'ca.pem')
  const first = await startEmptyGateway({ FISKD_CA_FILE: file })
  const own = await tempDir()
  for (const name of ['server.pem', 'server.key']) {
    writeFileSync(join(own, name), readFileSync(join(first.dataDir, 'tls', name)))
  }
  const local = pinned(first)
  await first.stop()
  const env = {
    FISKD_DATA_DIR: first.dataDir,
    FISKD_CA_FILE: file,
    FISKD_TLS_CERT: join(own, 'server.pem'),
    FISKD_TLS_KEY: join(own, 'server.key'),
  }
  const gateway = await startEmptyGateway(env)
  expect(existsSync(file)).toBe(false)
  expect((await statusOf(gateway)).ca).toBeNull()
  const refused = await fetchCa(gateway, {}, local)
  expect(refused).toMatchObject({ status: 404, body: { error: { code: 'invalid_request', param: 'ca.pem' } } })
  expect(refused.text).toContain('FISKD_TLS_CERT')
  await gateway.stop()

  // What somebody else has put there is not the daemon's to remove.
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, 'the CA of the operator')
  await startEmptyGateway(env)
  expect(readFileSync(file, 'utf8')).toBe('the CA of the operator')
})

test('the certificate carries the name of multicast DNS where the host name has no domain', async () => {
  expect(multicastNames('kiosk-7')).toEqual(['kiosk-7.local'])
  expect(['kiosk-7.lan', 'localhost', ''].flatMap(multicastNames)).toEqual([])
  const gateway = await startEmptyGateway()
  const server = new X509Certificate(readFileSync(join(gateway.dataDir, 'tls/server.pem')))
  for (const name of multicastNames(hostname())) expect(server.checkHost(name)).toBe(name)
  // The doctor asks only for the names without which callers are refused.
  expect(namesOf({ listen: [], tlsNames: [] } as never).filter((name) => name.endsWith('.local'))).toEqual([])
})
