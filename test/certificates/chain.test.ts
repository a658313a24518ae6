import forge from 'node-forge'
import { expect, test } from 'vitest'
import { createChainValidator } from '../../src/certificates/chain.ts'
import { authority, type Issued, issue } from '../support/issued-certificates.ts'
import { processorTime } from '../support/processor-time.ts'

const DAY_MS = 86_400_000
const now = Date.now()
const validator = createChainValidator()

const root = issue({ name: 'Root', extensions: authority() })
const sub = issue({ name: 'Sub CA', by: root, extensions: authority(0) })
const leaf = issue({ name: 'FISKAL 1', by: sub })
const bundle = [root.der, sub.der]

const check = (certificate: Issued, o: { intermediates?: Issued[]; bundle?: Buffer[]; at?: number } = {}) =>
  validator.validate(
    certificate.der,
    (o.intermediates ?? []).map((i) => i.der),
    o.bundle ?? bundle,
    o.at ?? now,
  )

const refusal = (why: RegExp) => ({ trusted: false, reason: expect.stringMatching(why) })

test('a leaf below the intermediate and the root of the bundle is trusted', async () => {
  expect(await check(leaf)).toEqual({ trusted: true })
})

test('an intermediate that came along with the leaf helps to reach the root', async () => {
  expect(await check(leaf, { bundle: [root.der] })).toEqual(
    refusal(/no certificate of the trust bundle issued .*FISKAL 1/),
  )
  expect(await check(leaf, { bundle: [root.der], intermediates: [sub] })).toEqual({ trusted: true })
})

test('a root that came along with the leaf anchors nothing', async () => {
  const otherRoot = issue({ name: 'Other root', extensions: authority() })
  const stranger = issue({ name: 'FISKAL 1', by: otherRoot })
  expect(await check(stranger, { intermediates: [otherRoot] })).toEqual(refusal(/no certificate of the trust bundle/))
})

test('an intermediate of the bundle without its root anchors nothing', async () => {
  expect(await check(leaf, { bundle: [sub.der] })).toEqual(refusal(/holds no root certificate/))
})

test('a leaf of another authority with the same names is refused', async () => {
  const evilRoot = issue({ name: 'Root', extensions: authority() })
  const evilSub = issue({ name: 'Sub CA', by: evilRoot, extensions: authority(0) })
  const evil = issue({ name: 'FISKAL 1', by: evilSub })
  expect(await check(evil, { intermediates: [evilSub, evilRoot] })).toEqual(
    refusal(/no certificate of the trust bundle/),
  )
})

test('a self-signed leaf is refused', async () => {
  expect(await check(issue({ name: 'FISKAL 1' }))).toEqual(refusal(/no certificate of the trust bundle/))
})

test('a root of the bundle is not its own leaf', async () => {
  expect(await check(root)).toEqual(refusal(/itself a root of the trust bundle/))
})

test('an expired leaf and a leaf of tomorrow are refused with their dates', async () => {
  const short = issue({ name: 'Short', by: sub, notAfter: new Date(now + DAY_MS) })
  expect(await check(short)).toEqual({ trusted: true })
  expect(await check(short, { at: now + 2 * DAY_MS })).toEqual(refusal(/Short.* expired at \d{4}-/))
  expect(await check(short, { at: now - 2 * DAY_MS })).toEqual(refusal(/Short.* is not valid before \d{4}-/))
})

test('an expired authority is refused by name', async () => {
  const old = issue({ name: 'Old CA', by: root, extensions: authority(), notAfter: new Date(now + DAY_MS) })
  const below = issue({ name: 'FISKAL 1', by: old })
  expect(await check(below, { bundle: [root.der, old.der], at: now + 2 * DAY_MS })).toEqual(refusal(/Old CA.* expired/))
})

test('an authority renewed with the same key is found although the old certificate is still in the bundle', async () => {
  const validity = { notBefore: new Date(now - 9 * DAY_MS), notAfter: new Date(now - DAY_MS) }
  const expired = issue({ name: 'Sub CA', by: root, extensions: authority(), keysOf: sub, ...validity })
  expect(await check(leaf, { bundle: [root.der, expired.der, sub.der] })).toEqual({ trusted: true })
})

test('a leaf used as an authority is refused', async () => {
  const signedByLeaf = issue({ name: 'FISKAL 2', by: leaf })
  expect(await check(signedByLeaf, { intermediates: [leaf] })).toEqual(
    refusal(/FISKAL 1.* not a certificate authority/),
  )
})

test('an intermediate without basicConstraints or without keyCertSign is refused', async () => {
  const [constraints, usage] = authority()
  const wrongUsage = { name: 'keyUsage', critical: true, digitalSignature: true }
  for (const [extensions, why] of [
    [[usage], /not a certificate authority/],
    [[constraints], /may not issue certificates/],
    [[constraints, wrongUsage], /may not issue certificates/],
    [[{ name: 'basicConstraints', cA: false, critical: true }, usage], /not a certificate authority/],
  ] as [object[], RegExp][]) {
    const odd = issue({ name: 'Odd CA', by: root, extensions })
    expect(await check(issue({ name: 'FISKAL 1', by: odd }), { intermediates: [odd] })).toEqual(refusal(why))
  }
})

test('a root without key usage is a root, one without basicConstraints is not', async () => {
  const [constraints] = authority()
  const oldRoot = issue({ name: 'Old root', extensions: [constraints as object] })
  expect(await check(issue({ name: 'A', by: oldRoot }), { bundle: [oldRoot.der] })).toEqual({ trusted: true })
  const noRoot = issue({ name: 'No root' })
  expect(await check(issue({ name: 'A', by: noRoot }), { bundle: [noRoot.der] })).toEqual(
    refusal(/not a certificate authority/),
  )
})

test('an authority below one that allows none is refused', async () => {
  const tooDeep = issue({ name: 'Deep CA', by: sub, extensions: authority() })
  const below = issue({ name: 'FISKAL 1', by: tooDeep })
  expect(await check(below, { intermediates: [tooDeep] })).toEqual(refusal(/Sub CA.* allows 0 authorities below it/))
})

test('MD5 and SHA-1 signatures are refused on leaf and intermediate and do not matter on a root', async () => {
  for (const hash of [forge.md.md5, forge.md.sha1]) {
    const weakLeaf = issue({ name: 'Weak', by: sub, hash: hash.create() })
    expect(await check(weakLeaf)).toEqual(refusal(/too weak/))
    const weakSub = issue({ name: 'Weak CA', by: root, hash: hash.create(), extensions: authority() })
    expect(await check(issue({ name: 'A', by: weakSub }), { intermediates: [weakSub] })).toEqual(refusal(/too weak/))
    const weakRoot = issue({ name: 'Weak root', hash: hash.create(), extensions: authority() })
    expect(await check(issue({ name: 'A', by: weakRoot }), { bundle: [weakRoot.der] })).toEqual({ trusted: true })
  }
})

test('an unknown critical extension is refused, an unknown one that is not critical is ignored', async () => {
  const unknown = { id: '1.2.3.4.5', value: '\x05\x00' }
  expect(await check(issue({ name: 'A', by: sub, extensions: [{ ...unknown, critical: true }] }))).toEqual(
    refusal(/critical extension that is not understood \(1\.2\.3\.4\.5\)/),
  )
  expect(await check(issue({ name: 'A', by: sub, extensions: [unknown] }))).toEqual({ trusted: true })
})

test('name constraints of an authority bind the names below it', async () => {
  // permittedSubtrees: dNSName "example.com"
  const value = '\x30\x11\xa0\x0f\x30\x0d\x82\x0bexample.com'
  const constraints = { id: '2.5.29.30', critical: true, value }
  const bound = issue({ name: 'Bound CA', by: root, extensions: [...authority(), constraints] })
  const named = (dns: string) =>
    issue({ name: 'A', by: bound, extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: dns }] }] })
  expect(await check(named('www.example.com'), { intermediates: [bound] })).toEqual({ trusted: true })
  expect(await check(named('www.example.org'), { intermediates: [bound] })).toEqual(refusal(/permitted/))
})

test('a changed certificate is refused', async () => {
  const changed = Buffer.from(leaf.der)
  changed.writeUInt8((changed.at(-1) ?? 0) ^ 1, changed.length - 1)
  expect(await check({ ...leaf, der: changed })).toMatchObject({ trusted: false })
})

test('an empty bundle says that none is installed', async () => {
  expect(await check(leaf, { bundle: [] })).toEqual(refusal(/no trust bundle is installed/))
})

test('garbage is refused as a leaf and ignored elsewhere', async () => {
  const garbage = { ...leaf, der: Buffer.from('garbage') }
  for (const der of [garbage.der, Buffer.alloc(0), leaf.der.subarray(0, -5), Buffer.concat([leaf.der, garbage.der])]) {
    expect(await check({ ...leaf, der })).toEqual(refusal(/not a readable X\.509 certificate/))
  }
  expect(await check(leaf, { intermediates: [garbage], bundle: [garbage.der, ...bundle] })).toEqual({ trusted: true })
  expect(await check(leaf, { bundle: [garbage.der] })).toEqual(refusal(/holds no root/))
})

test('a copy of the untrusted leaf among the intermediates does not let a trusted one stand in for it', async () => {
  const stranger = issue({ name: 'Stranger' })
  expect(await check(stranger, { intermediates: [stranger, leaf] })).toMatchObject({ trusted: false })
  expect(await check(stranger, { intermediates: [leaf, stranger, leaf] })).toMatchObject({ trusted: false })
})

test('authorities that sign each other in a circle end the search', async () => {
  const a0 = issue({ name: 'A', extensions: authority() })
  const b0 = issue({ name: 'B', extensions: authority() })
  const circle: Issued[] = []
  for (let i = 0; i < 8; i++) {
    circle.push(issue({ name: 'A', by: b0, keysOf: a0, extensions: authority() }))
    circle.push(issue({ name: 'B', by: a0, keysOf: b0, extensions: authority() }))
  }
  const spent = processorTime()
  expect(await check(issue({ name: 'X', by: a0 }), { intermediates: circle })).toMatchObject({ trusted: false })
  expect(spent()).toBeLessThan(2000)
})
