import { X509Certificate } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import forge from 'node-forge'
import { expect, test } from 'vitest'
import { createTrustBundles } from '../../../src/cis/trust/trust-bundles.ts'
import { FiskError } from '../../../src/domain/errors.ts'
import { pemOf } from '../../../src/x509/pem.ts'
import { authority, type IssueOrder, issue } from '../../support/issued-certificates.ts'
import { certificateOf, OIBS, pki } from '../../support/pki.ts'
import { type ExtensionOrder, entryFor, type ListIssuer, listPem, makeList } from '../../support/revocation-lists.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { trustPathsIn } from '../../support/trust-paths.ts'

const { root, issuing } = pki.toJSON()
const [company, other] = [await certificateOf(OIBS[0]), await certificateOf(OIBS[1])]
const SINCE = new Date('2026-03-04T05:06:07Z')
const entry = entryFor(company.certDer, SINCE)
const hour = (at: number) => new Date(Date.UTC(2026, 5, 1, at))

async function emptyBundles() {
  const dir = await tempDir()
  return trustPathsIn(join(dir, 'trust'))
}

async function bundles() {
  const where = await emptyBundles()
  const trust = createTrustBundles(where)
  trust.add('test', 'base', Buffer.from(pki.bundlePem))
  return { where, trust }
}

/** An authority with a small key, quick to make. */
function smallAuthority(order: Omit<IssueOrder, 'name'> & { name?: string } = {}): ListIssuer & { der: Buffer } {
  const { key, der } = issue({ name: 'Small CA', extensions: authority(), ...order })
  return { certPem: new X509Certificate(der).toString(), keyPem: forge.pki.privateKeyToPem(key), der }
}

test('a list says since when a certificate is revoked, by issuer and serial number, in its own mode', async () => {
  const { trust } = await bundles()
  const list = makeList({ by: issuing, entries: [entry], thisUpdate: hour(1), nextUpdate: hour(2) })
  expect(trust.revokedAt('test', company.certDer)).toBeNull()

  const described = {
    issuer: 'CN=Simulator CA 2020,O=Simulator CIS,C=HR',
    thisUpdate: hour(1).getTime(),
    nextUpdate: hour(2).getTime(),
    entries: 1,
  }
  expect(trust.add('test', 'base', list)).toEqual({ certificates: [], revocationLists: [described] })
  expect(trust.revocationLists('test')).toEqual([described])
  // That it should have been renewed long ago takes nothing back.
  expect(trust.revokedAt('test', company.certDer)).toBe(SINCE.getTime())
  expect(trust.revokedAt('test', other.certDer)).toBeNull()

  trust.add('live', 'base', Buffer.from(pki.bundlePem))
  expect(trust.revokedAt('live', company.certDer)).toBeNull()
  expect(trust.revocationLists('live')).toEqual([])
})

test('a number that another issuer has revoked says nothing', async () => {
  const { trust } = await bundles()
  trust.add('test', 'base', makeList({ by: root, entries: [entry] }))
  expect(trust.revocationLists('test')).toMatchObject([{ issuer: 'CN=Simulator Root CA,O=Simulator CIS,C=HR' }])
  expect(trust.revokedAt('test', company.certDer)).toBeNull()
})

test('lists are kept beside the certificates, as PEM, and read again at the next start', async () => {
  const { where, trust } = await bundles()
  const list = makeList({ by: issuing, entries: [entry] })
  trust.add('test', 'base', list)
  expect(readFileSync(where.test.base, 'latin1')).toBe(pki.bundlePem + listPem(list))
  expect(pemOf(trust.certificates('test', 'service'))).toBe(pki.bundlePem)

  const again = createTrustBundles(where)
  expect(again.certificates('test', 'service')).toEqual(pki.bundleDer)
  expect(again.revocationLists('test')).toEqual(trust.revocationLists('test'))
  expect(again.revokedAt('test', company.certDer)).toBe(SINCE.getTime())
})

test('a file may hold a list and, before or after it, the certificate of its issuer', async () => {
  const list = listPem(makeList({ by: issuing, entries: [entry] })).replaceAll('\n', '\r\n')
  for (const file of [`${pki.bundlePem}text\n${list}`, `${list}${pki.bundlePem}`]) {
    const trust = createTrustBundles(await emptyBundles())
    const added = trust.add('live', 'base', Buffer.from(file))
    expect([added.certificates.length, added.revocationLists.length]).toEqual([2, 1])
    expect(trust.revokedAt('live', company.certDer)).toBe(SINCE.getTime())
  }
})

test('of the lists of an issuer the newest counts, in whatever order they come', async () => {
  const [first, second, third] = [
    makeList({ by: issuing, thisUpdate: hour(1), entries: [entryFor(other.certDer, SINCE)] }),
    makeList({ by: issuing, thisUpdate: hour(2), entries: [entry] }),
    makeList({ by: issuing, thisUpdate: hour(3) }),
  ]
  const { where, trust } = await bundles()
  trust.add('test', 'base', second)
  expect(trust.add('test', 'base', first)).toEqual({ certificates: [], revocationLists: [] })
  expect(trust.add('test', 'base', second)).toEqual({ certificates: [], revocationLists: [] })
  expect(trust.revokedAt('test', other.certDer)).toBeNull()
  expect(trust.revokedAt('test', company.certDer)).toBe(SINCE.getTime())

  const added = trust.add('test', 'base', Buffer.from(listPem(third) + listPem(first)))
  expect(added.revocationLists).toMatchObject([{ thisUpdate: hour(3).getTime(), entries: 0 }])
  expect(trust.revocationLists('test')).toHaveLength(1)
  expect(trust.revokedAt('test', company.certDer)).toBeNull()
  expect(readFileSync(where.test.base, 'latin1')).toBe(pki.bundlePem + listPem(third))
})

test('lists of several issuers, and of several parts of one issuer, stand beside each other', async () => {
  const part = (name: string): ExtensionOrder => ({
    id: '2.5.29.28',
    critical: true,
    der: `300${name.length + 6}a00${name.length + 4}a00${name.length + 2}860${name.length}${Buffer.from(name).toString('hex')}`,
  })
  const { trust } = await bundles()
  trust.add('test', 'base', makeList({ by: root }))
  trust.add('test', 'base', makeList({ by: issuing, thisUpdate: hour(1), extensions: [part('a:1')], entries: [entry] }))
  trust.add('test', 'base', makeList({ by: issuing, thisUpdate: hour(2), extensions: [part('a:2')] }))
  expect(trust.revocationLists('test')).toHaveLength(3)
  expect(trust.revokedAt('test', company.certDer)).toBe(SINCE.getTime())
  trust.add('test', 'base', makeList({ by: issuing, thisUpdate: hour(3), extensions: [part('a:1')] }))
  expect(trust.revocationLists('test')).toHaveLength(3)
  expect(trust.revokedAt('test', company.certDer)).toBeNull()
})

test('a certificate on hold is revoked, one that is removed from the list is not', async () => {
  const [CERTIFICATE_HOLD, REMOVE_FROM_CRL] = [6, 8]
  const { trust } = await bundles()
  const removed = entryFor(other.certDer, SINCE, { reason: REMOVE_FROM_CRL })
  trust.add('test', 'base', makeList({ by: issuing, entries: [{ ...entry, reason: CERTIFICATE_HOLD }, removed] }))
  expect(trust.revokedAt('test', company.certDer)).toBe(SINCE.getTime())
  expect(trust.revokedAt('test', other.certDer)).toBeNull()
  expect(trust.revocationLists('test')).toMatchObject([{ entries: 1 }])
})

test('numbers are compared as numbers, times are read in both forms', async () => {
  const by = smallAuthority()
  const high = issue({ name: 'leaf', by: { name: 'Small CA', key: forge.pki.privateKeyFromPem(by.keyPem) } as never })
  const trust = createTrustBundles(await emptyBundles())
  const at = new Date('2051-01-01T00:00:00Z')
  const serial = Buffer.from(`00${new X509Certificate(high.der).serialNumber}`, 'hex')
  const list = makeList({ by, entries: [{ serial, at }], nextUpdate: null, digest: 'sha512' })
  trust.add('test', 'base', Buffer.concat([Buffer.from(by.certPem), Buffer.from(listPem(list))]))
  expect(trust.revokedAt('test', high.der)).toBe(at.getTime())
  expect(trust.revocationLists('test')).toMatchObject([{ nextUpdate: null }])
})

test('a list that cannot be believed or understood is refused with all that came along, saying why', async () => {
  const { where, trust } = await bundles()
  const before = readFileSync(where.test.base, 'latin1')
  const namesake = smallAuthority({ name: 'Small CA' })
  const stranger = smallAuthority({ name: 'Small CA' })
  const certSignOnly = [
    { name: 'basicConstraints', cA: true },
    { name: 'keyUsage', keyCertSign: true },
  ]
  const noListSigner = smallAuthority({ name: 'No lists CA', extensions: certSignOnly })
  const good = makeList({ by: issuing, entries: [entry] })
  const forged = Buffer.from(good)
  forged.writeUInt8((forged.at(-1) ?? 0) ^ 1, forged.length - 1)
  const withExtension = (extension: ExtensionOrder) => makeList({ by: issuing, extensions: [extension] })
  const withEntryExtension = (extension: ExtensionOrder) =>
    makeList({ by: issuing, entries: [{ ...entry, extensions: [extension] }] })
  const unknown = { id: '1.2.3.4', der: '0500' }

  const files: [Buffer | string, RegExp][] = [
    [makeList({ by: stranger }), /list of Small CA was issued by nobody in the trust bundle/],
    [namesake.certPem + listPem(makeList({ by: stranger })), /was not signed by CN=Small CA,O=Test,C=HR/],
    [noListSigner.certPem + listPem(makeList({ by: noListSigner })), /may not sign such lists \(key usage\)/],
    [forged, /list of Simulator CA 2020 was not signed by CN=Simulator CA 2020/],
    [makeList({ by: issuing, digest: 'sha1' }), /too weak or unknown/],
    [withExtension({ id: '2.5.29.27', der: '020101', critical: true }), /a delta list: bring the complete one/],
    [withExtension({ id: '2.5.29.27', der: '020101' }), /a delta list/],
    [withExtension({ id: '2.5.29.28', der: '30038401ff', critical: true }), /certificates of other issuers/],
    [withExtension({ id: '2.5.29.28', der: '30038501ff', critical: true }), /certificates of other issuers/],
    [withExtension({ id: '2.5.29.28', der: '30ff', critical: true }), /cannot be used/],
    [withExtension({ ...unknown, critical: true }), /a critical extension is not understood/],
    [withEntryExtension({ ...unknown, critical: true }), /a critical extension is not understood/],
    [withEntryExtension({ id: '2.5.29.29', der: '3000', critical: true }), /certificates of other issuers/],
    [makeList({ by: issuing, extensions: [unknown, unknown] }), /an extension twice/],
    [good.subarray(0, -1), /is not an X\.509 certificate or revocation list/],
    [Buffer.concat([good, good]), /is not an X\.509 certificate or revocation list/],
    [listPem(good.subarray(0, 300)), /PEM block 1 in it is not an X\.509 certificate or revocation list/],
    [listPem(Buffer.alloc(0)), /PEM block 1 in it/],
    [listPem(good).slice(0, 300), /a block in it is not complete/],
    [root.certPem + listPem(company.certDer), /PEM block 2 in it/],
    [listPem(good) + company.certPem, /is no certificate authority/],
    [listPem(good) + company.keyPem, /a PRIVATE KEY, neither a CERTIFICATE nor an X509 CRL/],
  ]
  for (const [file, reason] of files) {
    expect(() => trust.add('test', 'base', Buffer.from(file))).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        param: 'certificates',
        message: expect.stringMatching(reason),
      }),
    )
  }
  expect(trust.certificates('test', 'service')).toEqual(pki.bundleDer)
  expect(trust.revocationLists('test')).toEqual([])
  expect(readFileSync(where.test.base, 'latin1')).toBe(before)
})

test('extensions that are not critical, and those that change nothing, do no harm', async () => {
  const { trust } = await bundles()
  const extensions = [
    { id: '2.5.29.20', der: '020105' },
    { id: '1.2.3.4', der: '0500' },
    { id: '2.5.29.28', der: '30038101ff', critical: true },
  ]
  const invalidity = { id: '2.5.29.24', der: '180f32303236303130313030303030305a', critical: true }
  const entries = [{ ...entry, reason: 1, extensions: [invalidity, { id: '1.2.3.4', der: '0500' }] }]
  trust.add('test', 'base', makeList({ by: issuing, extensions, entries }))
  expect(trust.revokedAt('test', company.certDer)).toBe(SINCE.getTime())
})

test('a list with any byte changed, and any beginning of one, is refused', async () => {
  const by = smallAuthority()
  const trust = createTrustBundles(await emptyBundles())
  trust.add('test', 'base', by.der)
  const good = makeList({ by, entries: [entry], extensions: [{ id: '2.5.29.20', der: '020105' }] })
  const accepted: string[] = []
  const attempt = (what: string, file: Buffer) => {
    try {
      trust.add('test', 'base', file)
      accepted.push(what)
    } catch (error) {
      if (!(error instanceof FiskError) || error.code !== 'invalid_request') throw error
    }
  }
  for (let i = 0; i < good.length; i++) {
    const changed = Buffer.from(good)
    changed.writeUInt8(good.readUInt8(i) ^ (i % 2 === 0 ? 0x01 : 0x80), i)
    attempt(`byte ${i}`, changed)
    attempt(`${i} bytes`, good.subarray(0, i))
  }
  expect(accepted).toEqual([])
  expect(trust.add('test', 'base', good).revocationLists).toHaveLength(1)
})

test('a list of a megabyte is read in a moment, and megabytes of nonsense are refused in one', async () => {
  const { where, trust } = await bundles()
  const entries = Array.from({ length: 20_000 }, (_, i) => {
    const serial = Buffer.alloc(16, 0x41)
    serial.writeUInt32BE(i, 8)
    return { serial, at: SINCE, reason: 1 }
  })
  const list = makeList({ by: issuing, entries: [...entries, entry] })
  expect(list.length).toBeGreaterThan(900_000)
  const nonsense = [
    Buffer.alloc(12_000_000),
    Buffer.alloc(12_000_000, 0x30),
    Buffer.alloc(12_000_000, Buffer.from('30803080', 'hex')),
    Buffer.from(`-----BEGIN X509 CRL-----\n${'A'.repeat(12_000_000)}\n-----END X509 CRL-----\n`),
    Buffer.from('-----BEGIN X509 CRL-----\n'.repeat(400_000)),
  ]
  const before = process.cpuUsage()
  trust.add('test', 'base', list)
  for (const file of nonsense) expect(() => trust.add('test', 'base', file)).toThrow('cannot be trusted')
  expect(createTrustBundles(where).revokedAt('test', company.certDer)).toBe(SINCE.getTime())
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(3000)
})

test('a bundle file with a list that nobody in it has signed is named', async () => {
  const where = await emptyBundles()
  mkdirSync(dirname(where.test.base))
  writeFileSync(where.test.base, root.certPem + listPem(makeList({ by: issuing })))
  const trust = createTrustBundles(where)
  expect(trust.fileProblem('test', 'base')).toContain(
    `${where.test.base} cannot be used: the revocation list of Simulator CA`,
  )
  expect([trust.list('test', 'base').length, trust.revocationLists('test', 'base')]).toEqual([1, []])
})

test('a list that cannot be stored does not count either', async () => {
  const { where, trust } = await bundles()
  mkdirSync(`${where.test.base}.new`)
  expect(() => trust.add('test', 'base', makeList({ by: issuing, entries: [entry] }))).toThrow('EISDIR')
  expect(trust.revokedAt('test', company.certDer)).toBeNull()
  expect(existsSync(where.test.base)).toBe(true)
})
