import { X509Certificate } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { readConfig } from '../../../src/daemon/config.ts'
import { servedCertificates } from '../../../src/daemon/host/served-certificates.ts'
import { serverCertificateChecks } from '../../../src/fiscal/doctor/server-certificate-checks.ts'
import { issueAuthority, issueServer, newKeyPem } from '../../../src/x509/issue-certificate.ts'
import { examine } from '../../support/diagnosis.ts'
import type { Gateway } from '../../support/gateway.ts'
import { broken, type LookedAt, type Patient, sharedHealthyGateway, verdicts } from '../../support/healthy.ts'
import { pki } from '../../support/pki.ts'
import { tempDir } from '../../support/temp-dir.ts'

const DAY_MS = 86_400_000
const NAMES = ['localhost', '127.0.0.1', '::1']

let gateway: Gateway
let alone: LookedAt
beforeAll(async () => {
  gateway = await sharedHealthyGateway()
  alone = certificatesOf({ FISKD_DATA_DIR: gateway.dataDir, FISKD_LISTEN: '127.0.0.1:0' })
})

/** The certificates of a daemon that is configured like this, and no other of its checks. */
function certificatesOf(env: { FISKD_DATA_DIR: string } & Record<string, string>): LookedAt {
  const checks = serverCertificateChecks(servedCertificates(readConfig(env)), { now: Date.now })
  return { dataDir: env.FISKD_DATA_DIR, look: () => examine(checks) }
}

const tls = (file: string) => join(gateway.dataDir, 'tls', file)
const ca = () => ({ certPem: readFileSync(tls('ca.pem'), 'utf8'), keyPem: readFileSync(tls('ca.key'), 'utf8') })

/** What is found when files of the TLS directory say something else. */
function withFiles(files: Record<string, string>, patient: Patient = alone) {
  const names = Object.keys(files)
  const kept = names.map((name) => [name, readFileSync(tls(name))] as const)
  const write = () => names.map((name) => writeFileSync(tls(name), files[name] ?? ''))
  return broken(patient, write, () => kept.map(([name, bytes]) => writeFileSync(tls(name), bytes)))
}

async function serverFiles(order: Partial<Parameters<typeof issueServer>[0]>) {
  const span = { notBefore: Date.now() - DAY_MS, notAfter: Date.now() + 100 * DAY_MS }
  const made = await issueServer({ commonName: 'fiskd', names: NAMES, ...span, authority: ca(), ...order })
  return { 'server.pem': made.certPem, 'server.key': made.keyPem }
}

test('server certificate: one that has expired is found', async () => {
  const files = await serverFiles({ names: allNames(), notAfter: Date.now() - 60_000 })
  const found = await withFiles(files, gateway)
  expect(verdicts(found)).toEqual(['server certificate fail'])
  expect(found[0]).toMatchObject({
    detail: expect.stringContaining('it expired'),
    fix: expect.stringContaining('restart fiskd'),
  })
})

test('server certificate: one that was not renewed in time is a warning', async () => {
  const found = await withFiles(await serverFiles({ names: allNames(), notAfter: Date.now() + 14 * DAY_MS }))
  expect(verdicts(found)).toEqual(['server certificate warn'])
})

test('server certificate: one that lacks a name that clients use is found', async () => {
  const found = await withFiles(await serverFiles({ names: allNames().filter((name) => name !== '127.0.0.1') }))
  expect(verdicts(found)).toEqual(['server certificate fail'])
  expect(found[0]?.detail).toContain('it lacks 127.0.0.1')
})

test('server certificate: one that the local CA has not issued is found', async () => {
  const keyPem = await newKeyPem()
  const span = { notBefore: Date.now() - DAY_MS, notAfter: Date.now() + 100 * DAY_MS }
  const stranger = await issueAuthority({ commonName: 'stranger', keyPem, ...span })
  const found = await withFiles(await serverFiles({ names: allNames(), authority: stranger }))
  expect(verdicts(found)).toEqual(['server certificate fail'])
  expect(found[0]?.detail).toContain('has not issued it')
})

test('server certificate: one whose key is another is found', async () => {
  const found = await withFiles({ 'server.key': await newKeyPem() })
  expect(verdicts(found)).toEqual(['server certificate fail'])
  expect(found[0]?.detail).toContain('server.key is not its key')
})

test('local CA: one that ends within 60 days is a warning', async () => {
  const { keyPem } = ca()
  const subject = /CN=(.*)/.exec(new X509Certificate(ca().certPem).subject)?.[1] ?? ''
  const span = { notBefore: Date.now() - DAY_MS, notAfter: Date.now() + 59 * DAY_MS }
  const found = await withFiles({ 'ca.pem': (await issueAuthority({ commonName: subject, keyPem, ...span })).certPem })
  expect(verdicts(found)).toEqual(['local CA warn'])
  expect(found[0]?.fix).toContain('ca.pem')
})

test('local CA: one whose key is lost is a warning, for nothing can be renewed', async () => {
  const found = await withFiles({ 'ca.key': await newKeyPem() })
  expect(verdicts(found)).toEqual(['local CA warn'])
  expect(found[0]).toMatchObject({ detail: expect.stringContaining('ca.key is not its key') })
})

test('local CA: one that is gone is found, and the server certificate was not looked at', async () => {
  const kept = readFileSync(tls('ca.pem'))
  const found = await broken(
    alone,
    () => rmSync(tls('ca.pem')),
    () => writeFileSync(tls('ca.pem'), kept),
  )
  expect(verdicts(found)).toEqual(['local CA fail', 'server certificate skip'])
})

test('server certificate: that of the operator is looked at where it is', async () => {
  const dir = await tempDir()
  const [cert, key] = [join(dir, 'own.pem'), join(dir, 'own.key')]
  writeFileSync(cert, pki.tls.certPem)
  writeFileSync(key, pki.tls.keyPem, { mode: 0o600 })
  const own = certificatesOf({ FISKD_DATA_DIR: dir, FISKD_TLS_CERT: cert, FISKD_TLS_KEY: key })
  const found = await broken(own, () => writeFileSync(key, pki.signer.keyPem))
  expect(verdicts(found)).toEqual(['server certificate fail'])
  expect(found[0]?.fix).toContain('FISKD_TLS_CERT')
  expect((await own.look()).map(({ name }) => name)).not.toContain('local CA')
})

/** As they are in the certificate of this machine. */
function allNames(): string[] {
  const names = new X509Certificate(readFileSync(tls('server.pem'))).subjectAltName ?? ''
  return names.split(', ').map((name) => name.replace(/^(DNS|IP Address):/, ''))
}
