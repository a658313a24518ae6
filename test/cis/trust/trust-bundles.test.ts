import { X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTrustBundles } from '../../../src/cis/trust/trust-bundles.ts'
import { pemOf } from '../../../src/x509/pem.ts'
import { certificateOf, OIBS, pki } from '../../support/pki.ts'
import { processorTime } from '../../support/processor-time.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { trustPathsIn } from '../../support/trust-paths.ts'

const { root, issuing } = pki.toJSON()
const [rootDer = Buffer.alloc(0), issuingDer = Buffer.alloc(0)] = pki.bundleDer
const ROOT = {
  subject: 'CN=Simulator Root CA,O=Simulator CIS,C=HR',
  fingerprint: new X509Certificate(rootDer).fingerprint256.replaceAll(':', ''),
  notAfter: new Date(new X509Certificate(rootDer).validTo).getTime(),
}

async function paths() {
  const dir = await tempDir()
  return trustPathsIn(join(dir, 'trust'))
}

test('files that do not exist are empty bundles', async () => {
  const trust = createTrustBundles(await paths())
  expect([trust.certificates('test', 'service'), trust.list('live', 'base')]).toEqual([[], []])
})

test('certificates are added from PEM and from DER, described, stored, and read again at the next start', async () => {
  const where = await paths()
  const trust = createTrustBundles(where)
  expect(trust.add('test', 'base', rootDer)).toEqual({ certificates: [ROOT], revocationLists: [] })
  expect(trust.add('test', 'base', Buffer.from(issuing.certPem)).certificates).toMatchObject([
    { subject: 'CN=Simulator CA 2020,O=Simulator CIS,C=HR' },
  ])
  const again = createTrustBundles(where)
  for (const bundles of [trust, again]) {
    expect(bundles.certificates('test', 'service')).toEqual([rootDer, issuingDer])
    expect(bundles.list('test', 'base')[0]).toEqual(ROOT)
    expect(pemOf(bundles.certificates('test', 'service'))).toBe(readFileSync(where.test.base, 'latin1'))
  }
  expect(again.certificates('live', 'service')).toEqual([])
  expect(existsSync(where.live.base)).toBe(false)
})

test('a PEM file may hold several certificates, with text around them and Windows line ends', async () => {
  const trust = createTrustBundles(await paths())
  const file = `subject=CN=Root\r\n${root.certPem.replaceAll('\n', '\r\n')}\r\n\r\nnext:\r\n${issuing.certPem}`
  expect(trust.add('live', 'base', Buffer.from(file)).certificates).toHaveLength(2)
  expect(trust.certificates('live', 'service')).toEqual([rootDer, issuingDer])
})

test('what is trusted already is not added twice', async () => {
  const trust = createTrustBundles(await paths())
  trust.add('test', 'base', rootDer)
  expect(trust.add('test', 'base', Buffer.from(pki.bundlePem + root.certPem)).certificates).toHaveLength(1)
  expect(trust.add('test', 'base', rootDer)).toEqual({ certificates: [], revocationLists: [] })
  expect(trust.certificates('test', 'service')).toHaveLength(2)
})

test('what another process stores is taken, and what is lost, emptied or of no use changes nothing', async () => {
  const where = await paths()
  const [one, other] = [createTrustBundles(where), createTrustBundles(where)]
  one.add('test', 'base', rootDer)
  expect([other.reread('test'), other.reread('test'), other.reread('live')]).toEqual([true, false, false])
  expect(other.certificates('test', 'service')).toEqual([rootDer])
  for (const text of ['', root.certPem.slice(0, 200)]) {
    writeFileSync(where.test.base, text)
    expect(other.reread('test')).toBe(false)
  }
  rmSync(where.test.base)
  expect([other.reread('test'), other.certificates('test', 'service')]).toEqual([false, [rootDer]])
  writeFileSync(where.test.base, issuing.certPem)
  expect([other.reread('test'), other.certificates('test', 'service')]).toEqual([true, [issuingDer]])
})

test('what is added at one process leaves what was added at another', async () => {
  const where = await paths()
  const [one, other] = [createTrustBundles(where), createTrustBundles(where)]
  one.add('test', 'base', rootDer)
  other.add('test', 'base', issuingDer)
  expect(createTrustBundles(where).certificates('test', 'service')).toEqual([rootDer, issuingDer])
})

test('a file with anything but CA certificates in it is refused whole, saying what is wrong', async () => {
  const where = await paths()
  const trust = createTrustBundles(where)
  const { certPem, keyPem, certDer, p12 } = await certificateOf(OIBS[0])
  const files: [Buffer, RegExp][] = [
    [certDer, /CN=FISKAL 1.* is no certificate authority/],
    [Buffer.from(pki.bundlePem + certPem), /is no certificate authority/],
    [Buffer.from(root.certPem + keyPem), /is a PRIVATE KEY/],
    [Buffer.from(root.certPem.slice(0, 200)), /a block in it is not complete/],
    [Buffer.from(root.certPem + issuing.certPem.slice(0, 200)), /a block in it is not complete/],
    [Buffer.from(root.certPem.slice(0, 200) + issuing.certPem), /a block in it is not complete/],
    [Buffer.from(root.certPem.slice(200) + issuing.certPem), /a block in it is not complete/],
    [Buffer.from(root.certPem + issuing.certPem.slice(200)), /a block in it is not complete/],
    [Buffer.concat([rootDer, issuingDer]), /something follows the certificate/],
    [Buffer.from('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'), /PEM block 1 in it is not an X\.509/],
    [p12, /is not an X\.509 certificate/],
    [Buffer.from('<html></html>'), /is not an X\.509 certificate/],
    [Buffer.alloc(0), /is not an X\.509 certificate/],
  ]
  for (const [file, reason] of files) {
    expect(() => trust.add('test', 'base', file)).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        param: 'certificates',
        message: expect.stringMatching(reason),
      }),
    )
  }
  expect(trust.certificates('test', 'service')).toEqual([])
  expect(existsSync(where.test.base)).toBe(false)
})

test('an authority that has run out is not added; one that runs out later stays', async () => {
  const where = await paths()
  createTrustBundles(where).add('test', 'base', rootDer)
  const later = createTrustBundles(where, () => ROOT.notAfter + 1)
  expect(later.certificates('test', 'service')).toEqual([rootDer])
  const refused = {
    code: 'invalid_request',
    param: 'certificates',
    message: expect.stringMatching(/ran out on \d{4}-/),
  }
  expect(() => later.add('live', 'base', Buffer.from(pki.bundlePem))).toThrow(expect.objectContaining(refused))
  expect(later.certificates('live', 'service')).toEqual([])
  expect(createTrustBundles(where, () => ROOT.notAfter).add('live', 'base', rootDer).certificates).toHaveLength(1)
})

test('a large file without an end is refused at once', async () => {
  const trust = createTrustBundles(await paths())
  const file = Buffer.from('-----BEGIN CERTIFICATE-----\n'.repeat(40_000))
  const spent = processorTime()
  expect(() => trust.add('test', 'base', file)).toThrow('not complete')
  expect(spent()).toBeLessThan(500)
})

test('a bundle that cannot be stored is not trusted either', async () => {
  const where = await paths()
  const trust = createTrustBundles(where)
  mkdirSync(where.test.base, { recursive: true })
  expect(() => trust.add('test', 'base', rootDer)).toThrow()
  expect(trust.certificates('test', 'service')).toEqual([])
})

test.each(['base', 'service', 'uploads'] as const)(
  'a file %s that is of no use keeps the other files from nothing, is named, and counts once it is mended',
  async (list) => {
    const where = await paths()
    createTrustBundles(where).add('live', 'base', rootDer)
    createTrustBundles(where).add('test', list === 'base' ? 'service' : 'base', rootDer)
    writeFileSync(where.test[list], issuing.certPem.slice(0, 200))
    const trust = createTrustBundles(where)
    expect(trust.certificates('live', 'service')).toEqual([rootDer])
    expect(trust.list('test', list)).toEqual([])
    expect(trust.certificates('test', 'service')).toEqual([rootDer])
    expect(trust.fileProblem('test', list)).toContain(`${where.test[list]} cannot be used: `)
    writeFileSync(where.test[list], issuing.certPem)
    expect([trust.reread('test'), trust.list('test', list).length]).toEqual([true, 1])
    expect(trust.fileProblem('test', list)).toBeNull()
  },
)

test('a blank file is an empty one', async () => {
  const where = await paths()
  mkdirSync(join(where.test.base, '..'))
  writeFileSync(where.test.base, ' \n')
  const trust = createTrustBundles(where)
  expect([trust.certificates('test', 'service'), trust.fileProblem('test', 'base')]).toEqual([[], null])
})
