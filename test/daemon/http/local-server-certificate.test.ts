import { execFile, execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, isIP } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureLocalTls, type LocalTls } from '../../../src/daemon/http/local-server-certificate.ts'
import { skipWithout } from '../../support/tools.ts'

const DAY_MS = 86_400_000
const now = Math.floor(Date.now() / 1000) * 1000

let parent: string
let dir: string
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'fiskd-tls-'))
  dir = join(parent, 'tls')
})
afterEach(() => rmSync(parent, { recursive: true, force: true }))

const clockAt = (at: number, isProven = false) => ({ now: at, since: at, isProven })
const ensure = (names: string[] = [], at = now) => ensureLocalTls({ dir, names, clock: clockAt(at) })
const read = (file: string) => readFileSync(join(dir, file), 'utf8')
const openssl = (...args: string[]) => execFileSync('openssl', args, { encoding: 'utf8' })

test('the first start makes a CA and a server certificate, keys for their owner only, and nothing else', async () => {
  const made = await ensure()
  expect(made).toMatchObject({ caPath: join(dir, 'ca.pem'), renewed: true, unusable: [] })
  expect(readdirSync(dir).sort()).toEqual(['ca.key', 'ca.pem', 'server.key', 'server.pem'])
  for (const file of ['ca.key', 'server.key']) expect(statSync(join(dir, file)).mode & 0o777).toBe(0o600)
  expect([read('server.pem'), read('server.key')]).toEqual([made.certPem, made.keyPem])
  expect(made.keyPem).not.toBe(read('ca.key'))
})

test.skipIf(skipWithout('openssl'))('OpenSSL verifies the chain and finds in it what was promised', async () => {
  await ensure(['Kiosk-7.lan', 'čokolada.hr', '192.168.1.20', 'fe80::1%eth0', '2001:db8:0:1::ffff:1'])
  const [ca, server] = [join(dir, 'ca.pem'), join(dir, 'server.pem')]
  const strict = ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', ca]
  expect(openssl(...strict, '-verify_hostname', 'kiosk-7.lan', server)).toContain('OK')
  expect(openssl(...strict, '-verify_ip', '2001:db8:0:1::ffff:1', server)).toContain('OK')

  const text = openssl('x509', '-in', server, '-noout', '-text').replace(/\s+/g, ' ')
  expect(text).toContain(
    'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, DNS:kiosk-7.lan, DNS:xn--okolada-i6a.hr, ' +
      'IP Address:192.168.1.20, IP Address:FE80:0:0:0:0:0:0:1, IP Address:2001:DB8:0:1:0:0:FFFF:1',
  )
  expect(text).toMatch(
    /prime256v1.*CA:FALSE.*Key Usage: critical Digital Signature X509.*TLS Web Server Authentication/,
  )
  const caText = openssl('x509', '-in', ca, '-noout', '-text').replace(/\s+/g, ' ')
  expect(caText).toMatch(/Subject: CN ?= ?fiskd local CA [0-9a-f]{8} .*prime256v1.*CA:TRUE, pathlen:0/)
  expect(caText).toMatch(/Key Usage: critical Certificate Sign, CRL Sign/)

  const days = (pem: string) => {
    const { validFrom, validTo } = new X509Certificate(pem)
    return (Date.parse(validTo) - Date.parse(validFrom)) / DAY_MS
  }
  expect(days(read('server.pem'))).toBe(397)
  expect(Math.floor(days(read('ca.pem')) / 365)).toBe(10)
})

test('a client that trusts ca.pem connects under every name, and one that does not refuses', async () => {
  const made = await ensure(['kiosk-7.lan'])
  for (const name of ['localhost', '127.0.0.1', '::1', 'kiosk-7.lan']) {
    expect(await connect(made, name, read('ca.pem'))).toBe('connected')
  }
  expect(await connect(made, 'kiosk-8.lan', read('ca.pem'))).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
  expect(await connect(made, 'localhost', undefined)).toBe('UNABLE_TO_VERIFY_LEAF_SIGNATURE')
})

test('the next start changes nothing, and neither does a name that was given before', async () => {
  const first = await ensure(['kiosk-7.lan', '10.0.0.7'])
  const files = () => readdirSync(dir).map((file) => read(file))
  const before = files()
  expect(await ensure(['KIOSK-7.lan', '10.0.0.7'])).toEqual({ ...first, renewed: false })
  expect(await ensure([], now + 300 * DAY_MS)).toMatchObject({ renewed: false })
  expect(files()).toEqual(before)
})

test.each(['kiosk-8.lan', '10.0.0.8', 'fd00::8'])(
  'a new name, %s, gets a new certificate of the same CA',
  async (name) => {
    const first = await ensure()
    const ca = read('ca.pem')
    const second = await ensure([name])
    expect(second.renewed).toBe(true)
    expect(second.certPem).not.toBe(first.certPem)
    expect(read('ca.pem')).toBe(ca)
    expect(await ensure([name])).toMatchObject({ renewed: false })
  },
)

test('a name that no certificate can carry is left out and reported', async () => {
  expect(await ensure(['a b', '', 'x'.repeat(64), 'my_host'])).toMatchObject({ unusable: ['a b', '', 'x'.repeat(64)] })
  expect(await ensure(['a b'])).toMatchObject({ renewed: false, unusable: ['a b'] })
})

test('the server certificate is renewed when less than 30 days remain', async () => {
  await ensure()
  expect(await ensure([], now + 366 * DAY_MS)).toMatchObject({ renewed: false })
  expect(await ensure([], now + 366 * DAY_MS + 1000)).toMatchObject({ renewed: true })
})

test('the CA is kept to its last day, and the server certificate never outlives it', async () => {
  await ensure()
  const ca = read('ca.pem')
  const end = Date.parse(new X509Certificate(ca).validTo)
  const late = await ensure([], end - 10 * DAY_MS)
  expect(late.renewed).toBe(true)
  expect(Date.parse(new X509Certificate(late.certPem).validTo)).toBe(end)
  expect(await ensure([], end - 1000)).toMatchObject({ renewed: false })
  expect(read('ca.pem')).toBe(ca)

  const next = await ensure([], end + 1000)
  expect(next.renewed).toBe(true)
  expect(read('ca.pem')).not.toBe(ca)
  expect(new X509Certificate(next.certPem).verify(new X509Certificate(read('ca.pem')).publicKey)).toBe(true)
})

test('a clock that was set back replaces nothing', async () => {
  const first = await ensure()
  expect(await ensure([], 0)).toEqual({ ...first, renewed: false })
})

test('a certificate that a proven clock finds in the future is made anew, and the CA that nobody can have trusted with it', async () => {
  const ahead = now + 3650 * DAY_MS
  await ensure([], ahead)
  const [key, future] = [read('ca.key'), read('ca.pem')]
  expect(await ensure()).toMatchObject({ renewed: false })
  const made = await ensureLocalTls({ dir, names: [], clock: clockAt(now, true) })
  expect(made.renewed).toBe(true)
  expect(read('ca.key')).toBe(key)
  expect(read('ca.pem')).not.toBe(future)
  expect(await connect(made, 'localhost', read('ca.pem'))).toBe('connected')
  expect(await ensureLocalTls({ dir, names: [], clock: clockAt(now, true) })).toMatchObject({ renewed: false })
})

test('a server certificate that a clock far ahead made too long is made anew, and the CA stays', async () => {
  await ensureLocalTls({ dir, names: [], clock: { now: now + 3650 * DAY_MS, since: now, isProven: false } })
  const ca = read('ca.pem')
  const { certPem, renewed } = await ensureLocalTls({ dir, names: [], clock: clockAt(now, true) })
  const end = Date.parse(new X509Certificate(certPem).validTo)
  expect([renewed, end < now + 397 * DAY_MS, read('ca.pem') === ca]).toEqual([true, true, true])
})

test('another CA in the directory gets a server certificate of its own', async () => {
  await ensure()
  const oldCa = { pem: read('ca.pem'), key: read('ca.key') }
  rmSync(dir, { recursive: true })
  await ensure()
  writeFileSync(join(dir, 'ca.pem'), oldCa.pem)
  writeFileSync(join(dir, 'ca.key'), oldCa.key)
  const made = await ensure()
  expect(made.renewed).toBe(true)
  expect(new X509Certificate(made.certPem).verify(new X509Certificate(oldCa.pem).publicKey)).toBe(true)
})

test('a server key that is gone, damaged or of another certificate is replaced together with the certificate', async () => {
  await ensure()
  const other = read('ca.key')
  for (const break_ of [
    () => rmSync(join(dir, 'server.key')),
    ...['', 'x', other].map((text) => () => writeFileSync(join(dir, 'server.key'), text)),
  ]) {
    break_()
    expect(await ensure()).toMatchObject({ renewed: true })
    expect(await ensure()).toMatchObject({ renewed: false })
  }
  writeFileSync(join(dir, 'server.pem'), 'not a certificate')
  expect(await ensure()).toMatchObject({ renewed: true })
})

test('a lost CA key does not disturb the certificate that is there, and is named when a new one is due', async () => {
  await ensure()
  const ca = read('ca.pem')
  for (const lose of [
    () => rmSync(join(dir, 'ca.key')),
    () => writeFileSync(join(dir, 'ca.key'), read('server.key')),
  ]) {
    lose()
    expect(await ensure()).toMatchObject({ renewed: false })
    await expect(ensure(['kiosk-9.lan'])).rejects.toThrow(/ca\.key is not the key of .*restore it from the backup/)
    expect(read('ca.pem')).toBe(ca)
  }
})

test('a welcome name renews the certificate where that is possible, and never stops a start', async () => {
  await ensure()
  const options = { dir, names: [], clock: clockAt(now), welcomeNames: ['kiosk-9.local'] }
  const renewed = await ensureLocalTls(options)
  expect(renewed.renewed).toBe(true)
  expect(new X509Certificate(renewed.certPem).checkHost('kiosk-9.local')).toBe('kiosk-9.local')
  expect(await ensureLocalTls(options)).toMatchObject({ renewed: false })
  rmSync(join(dir, 'ca.key'))
  expect(await ensureLocalTls({ ...options, welcomeNames: ['kiosk-8.local'] })).toMatchObject({ renewed: false })
})

test('a lost CA certificate is made anew from its key, and clients that pinned the lost one still connect', async () => {
  await ensure()
  const pinned = read('ca.pem')
  rmSync(join(dir, 'ca.pem'))
  const made = await ensure(['kiosk-9.lan'])
  expect(made.renewed).toBe(true)
  expect(await connect(made, 'kiosk-9.lan', pinned)).toBe('connected')
})

test('a damaged CA certificate is named and left as it is', async () => {
  await ensure()
  writeFileSync(join(dir, 'ca.pem'), 'not a certificate')
  await expect(ensure()).rejects.toThrow(/ca\.pem is not a certificate: restore it/)
  expect(read('ca.pem')).toBe('not a certificate')
})

/** Connects over real TLS on loopback. */
async function connect(made: LocalTls, name: string, ca: string | undefined): Promise<string> {
  const server = tls.createServer({ cert: made.certPem, key: made.keyPem, minVersion: 'TLSv1.2' }, (socket) =>
    socket.end(),
  )
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await new Promise<string>((resolve) => {
      const { port } = server.address() as AddressInfo
      // The identity is checked by node:tls itself, against the name the client meant to reach.
      const socket = tls.connect({
        host: '127.0.0.1',
        port,
        ...(isIP(name) === 0 && { servername: name }),
        ...(ca !== undefined && { ca }),
        checkServerIdentity: (_host, certificate) => tls.checkServerIdentity(name, certificate),
      })
      socket.on('secureConnect', () => {
        socket.destroy()
        resolve('connected')
      })
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    })
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}

test('processes that start at once with one folder for their CA make one CA, and a certificate of it each', async () => {
  const module = new URL('../../../src/daemon/http/local-server-certificate.ts', import.meta.url).href
  const script = `
    import { ensureLocalTls } from ${JSON.stringify(module)}
    const [dir, caDir, start] = process.argv.slice(1)
    while (Date.now() < Number(start)) {}
    await ensureLocalTls({ dir, caDir, names: [], clock: { now: Date.now(), since: Date.now(), isProven: false } })`
  const start = String(Date.now() + 2500)
  const dirs = [1, 2, 3].map((process) => join(parent, String(process)))
  const caDir = join(parent, 'shared')
  const run = (own: string) =>
    promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script, own, caDir, start])
  await Promise.all(dirs.map(run))
  const ca = new X509Certificate(readFileSync(join(caDir, 'ca.pem')))
  for (const own of dirs) {
    expect(new X509Certificate(readFileSync(join(own, 'server.pem'))).verify(ca.publicKey)).toBe(true)
    expect(readdirSync(own).sort()).toEqual(['server.key', 'server.pem'])
  }
  const [first = ''] = dirs
  expect((await ensureLocalTls({ dir: first, caDir, names: [], clock: clockAt(now) })).renewed).toBe(false)
  expect((await ensureLocalTls({ dir: first, caDir, names: ['192.0.2.1'], clock: clockAt(now) })).renewed).toBe(true)
})
