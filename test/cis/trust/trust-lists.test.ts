import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import forge from 'node-forge'
import { expect, test } from 'vitest'
import { createTrustBundles } from '../../../src/cis/trust/trust-bundles.ts'
import { authority, type Issued, issue } from '../../support/issued-certificates.ts'
import { pki } from '../../support/pki.ts'
import { entryFor, listPem, makeList } from '../../support/revocation-lists.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { trustPathsIn } from '../../support/trust-paths.ts'

const SINCE = new Date('2026-03-04T05:06:07Z')
const [one, two] = [
  issue({ name: 'One CA', extensions: authority() }),
  issue({ name: 'Two CA', extensions: authority() }),
]

const signerOf = ({ der, key }: Issued) => ({
  certPem: new X509Certificate(der).toString(),
  keyPem: forge.pki.privateKeyToPem(key),
})
const fingerprintOf = (der: Buffer) => new X509Certificate(der).fingerprint256.replaceAll(':', '')
const refusal = (message: RegExp, param = 'fingerprint') =>
  expect.objectContaining({ code: 'invalid_request', param, message: expect.stringMatching(message) })

/** Bundles with a base, and where they are. */
async function withBase() {
  const where = trustPathsIn(await tempDir())
  writeFileSync(where.test.base, pki.bundlePem)
  return { where, trust: createTrustBundles(where) }
}

test('the base counts for both purposes, an addition for its own, in files of their own and at the next start', async () => {
  const { where, trust } = await withBase()
  trust.add('test', 'service', one.der)
  trust.add('test', 'uploads', two.der)
  for (const bundles of [trust, createTrustBundles(where)]) {
    expect(bundles.certificates('test', 'service')).toEqual([...pki.bundleDer, one.der])
    expect(bundles.certificates('test', 'uploads')).toEqual([...pki.bundleDer, two.der])
    expect(bundles.certificates('live', 'uploads')).toEqual([])
  }
  expect(readFileSync(where.test.base, 'utf8')).toBe(pki.bundlePem)
})

test('what the base has is not added again', async () => {
  const { where, trust } = await withBase()
  expect(trust.add('test', 'uploads', Buffer.from(pki.bundlePem)).certificates).toEqual([])
  expect(existsSync(where.test.uploads)).toBe(false)
})

test('a list that an issuer for uploads has signed revokes its certificates, also one that the base has signed', async () => {
  const { trust } = await withBase()
  const leaf = issue({ name: 'A company', by: two })
  const [own, ofBase] = [makeList({ by: signerOf(two), entries: [entryFor(leaf.der, SINCE)] }), pki.toJSON().issuing]
  expect(() => trust.add('test', 'uploads', own)).toThrow(refusal(/was issued by nobody/, 'certificates'))
  trust.add('test', 'uploads', two.der)
  expect(trust.add('test', 'uploads', own).revocationLists).toMatchObject([{ entries: 1 }])
  expect(trust.revokedAt('test', leaf.der)).toBe(SINCE.getTime())

  const company = await pki.issueCompany({ oib: '02994650199' })
  trust.add('test', 'service', makeList({ by: ofBase, entries: [entryFor(company.certDer, SINCE)] }))
  expect(trust.revokedAt('test', company.certDer)).toBe(SINCE.getTime())
  expect(trust.revocationLists('test', 'service')).toHaveLength(1)
})

test('an issuer of the service alone revokes nothing, although it bears the name of one for uploads', async () => {
  const { trust } = await withBase()
  const namesake = issue({ name: 'Two CA', extensions: authority() })
  const leaf = issue({ name: 'A company', by: two })
  trust.add('test', 'uploads', two.der)
  trust.add('test', 'service', namesake.der)
  trust.add('test', 'service', makeList({ by: signerOf(namesake), entries: [entryFor(leaf.der, SINCE)] }))
  expect(trust.revokedAt('test', leaf.der)).toBeNull()
  expect(trust.revocationLists('test')).toEqual([])
})

test('an addition is removed by the beginning of its fingerprint, with the lists that it alone has signed', async () => {
  const { where, trust } = await withBase()
  const mine = makeList({ by: signerOf(one) })
  const ofBase = makeList({ by: pki.toJSON().issuing })
  trust.add('test', 'uploads', Buffer.from(signerOf(one).certPem + listPem(mine) + listPem(ofBase)))
  trust.add('test', 'uploads', two.der)
  const fingerprint = fingerprintOf(one.der)
  const colons = fingerprint
    .slice(0, 8)
    .toLowerCase()
    .replace(/..(?=.)/g, '$&:')
  expect(trust.remove('test', 'uploads', colons)).toMatchObject({ list: 'uploads', removed: { fingerprint } })
  for (const bundles of [trust, createTrustBundles(where)]) {
    expect(bundles.certificates('test', 'uploads')).toEqual([...pki.bundleDer, two.der])
    expect(bundles.revocationLists('test', 'uploads')).toMatchObject([
      { issuer: expect.stringContaining('Simulator CA') },
    ])
    expect(bundles.fileProblem('test', 'uploads')).toBeNull()
  }
})

test('one of a base that fiskd writes goes to the list of the other purpose, with the list that it has signed', async () => {
  const { where, trust } = await withBase()
  const leaf = issue({ name: 'A company', by: one })
  const revoked = makeList({ by: signerOf(one), entries: [entryFor(leaf.der, SINCE)] })
  trust.add('test', 'base', Buffer.from(signerOf(one).certPem + listPem(revoked)))
  trust.add('test', 'base', makeList({ by: pki.toJSON().issuing }))
  trust.add('test', 'service', two.der)
  expect(trust.remove('test', 'service', fingerprintOf(one.der))).toMatchObject({ list: 'base' })
  for (const bundles of [trust, createTrustBundles(where)]) {
    expect(bundles.certificates('test', 'service')).toEqual([...pki.bundleDer, two.der])
    expect(bundles.certificates('test', 'uploads')).toEqual([...pki.bundleDer, one.der])
    expect(bundles.revokedAt('test', leaf.der)).toBe(SINCE.getTime())
    const lists = (['base', 'uploads'] as const).map((list) => bundles.revocationLists('test', list).length)
    expect(lists).toEqual([1, 1])
    for (const list of ['base', 'service', 'uploads'] as const) expect(bundles.fileProblem('test', list)).toBeNull()
  }
  trust.remove('test', 'uploads', fingerprintOf(one.der))
  expect(trust.certificates('test', 'uploads')).toEqual(pki.bundleDer)
})

test('nothing is removed by a beginning that is too short, fits none, or is of a given base or another list', async () => {
  const { where } = await withBase()
  const trust = createTrustBundles(where, Date.now, { test: true, live: false })
  trust.add('test', 'uploads', one.der)
  const before = readFileSync(where.test.uploads)
  const [root] = pki.bundleDer
  const remove = (text: string, purpose: 'service' | 'uploads' = 'uploads') => trust.remove('test', purpose, text)
  const none = refusal(/exactly one fingerprint in .*test-uploads\.pem: give 8 hex digits or more/)
  for (const text of [fingerprintOf(one.der).slice(0, 7), 'not hexadecimal', fingerprintOf(two.der)])
    expect(() => remove(text)).toThrow(none)
  expect(() => remove(fingerprintOf(one.der), 'service')).toThrow(refusal(/in .*test-service\.pem/))
  expect(() => remove(fingerprintOf(root ?? one.der))).toThrow(none)
  expect([trust.given('test'), trust.given('live')]).toEqual([where.test.base, null])
  expect(readFileSync(where.test.uploads)).toEqual(before)
  expect(trust.certificates('test', 'uploads')).toEqual([...pki.bundleDer, one.der])
})

test('another process takes what is added and what is removed, even the last one; a lost file takes nothing away', async () => {
  const { where, trust } = await withBase()
  const other = createTrustBundles(where)
  trust.add('test', 'uploads', one.der)
  expect([other.reread('test'), other.reread('test')]).toEqual([true, false])
  expect(other.certificates('test', 'uploads')).toEqual([...pki.bundleDer, one.der])
  trust.remove('test', 'uploads', fingerprintOf(one.der))
  expect([other.reread('test'), other.certificates('test', 'uploads')]).toEqual([true, pki.bundleDer])

  trust.add('test', 'uploads', makeList({ by: pki.toJSON().issuing }))
  expect([other.reread('test'), other.revocationLists('test').length]).toEqual([true, 1])
  other.add('test', 'uploads', two.der)
  rmSync(where.test.uploads)
  expect([trust.reread('test'), other.reread('test')]).toEqual([false, false])
  expect(other.certificates('test', 'uploads')).toEqual([...pki.bundleDer, two.der])
})

test('a base that becomes another one keeps nothing from starting: lists of its issuers wait for it to come back', async () => {
  const { where, trust } = await withBase()
  const company = await pki.issueCompany({ oib: '02994650199' })
  const list = makeList({ by: pki.toJSON().issuing, entries: [entryFor(company.certDer, SINCE)] })
  trust.add('test', 'uploads', list)
  writeFileSync(where.test.base, signerOf(one).certPem)
  const started = createTrustBundles(where)
  expect(started.certificates('test', 'uploads')).toEqual([one.der])
  expect(started.revokedAt('test', company.certDer)).toBeNull()
  expect(started.fileProblem('test', 'uploads')).toContain('was issued by nobody in the trust bundle')

  writeFileSync(where.test.base, pki.bundlePem)
  expect(started.reread('test')).toBe(true)
  expect(started.revokedAt('test', company.certDer)).toBe(SINCE.getTime())
  expect(started.fileProblem('test', 'uploads')).toBeNull()
})
