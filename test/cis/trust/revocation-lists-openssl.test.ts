import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createTrustBundles } from '../../../src/cis/trust/trust-bundles.ts'
import { certificateOf, OIBS, pki } from '../../support/pki.ts'
import { entryFor, listPem, makeList } from '../../support/revocation-lists.ts'
import { tempDir } from '../../support/temp-dir.ts'
import { skipWithout } from '../../support/tools.ts'
import { trustPathsIn } from '../../support/trust-paths.ts'

const EXTENSIONS = {
  ordinary: 'authorityKeyIdentifier = keyid',
  part: 'issuingDistributionPoint = critical, @point\n[point]\nfullname = URI:http://example.hr/part1.crl\nonlyuser = TRUE',
  indirect: 'issuingDistributionPoint = critical, @point\n[point]\nindirectCRL = TRUE',
  delta: '2.5.29.27 = critical, DER:020101',
}

/** A folder in which `openssl ca` finds an authority and what it revoked. */
async function workshop(certPem: string, keyPem: string, index: string[] = [], extensions = EXTENSIONS.ordinary) {
  const dir = await tempDir()
  const at = (name: string) => join(dir, name)
  writeFileSync(at('ca.pem'), certPem)
  writeFileSync(at('ca.key'), keyPem)
  writeFileSync(at('index.txt'), index.map((line) => `${line}\n`).join(''))
  writeFileSync(at('number'), '07\n')
  writeFileSync(
    at('ca.cnf'),
    `[ca]\ndefault_ca = it\n[it]\ndatabase = ${at('index.txt')}\ncrlnumber = ${at('number')}\ncertificate = ${at('ca.pem')}\n` +
      `private_key = ${at('ca.key')}\ndefault_md = sha256\ndefault_crl_days = 7\ncrl_extensions = more\n[more]\n${extensions}\n`,
  )
  return at
}

async function listBy(at: (name: string) => string, ...options: string[]): Promise<Buffer> {
  execFileSync('openssl', ['ca', '-gencrl', '-config', at('ca.cnf'), '-out', at('list.pem'), ...options], {
    stdio: 'pipe',
  })
  return readFileSync(at('list.pem'))
}

/** A line of the index: revoked, when it would have run out, since when and why, the number, the file, the subject. */
const revoked = (certPem: string, since: string) =>
  `R\t301231235959Z\t${since}\t${new X509Certificate(certPem).serialNumber}\tunknown\t/CN=FISKAL 1`

async function bundles() {
  const dir = await tempDir()
  const trust = createTrustBundles(trustPathsIn(dir))
  trust.add('test', 'base', Buffer.from(pki.bundlePem))
  return trust
}

describe.skipIf(skipWithout('openssl'))('lists made by the openssl command', () => {
  const { issuing } = pki.toJSON()

  test('a list with and without reasons is read, as PEM and as DER, and reads as openssl wrote it', async () => {
    const certificates = await Promise.all(OIBS.map(certificateOf))
    const [first, second, third] = certificates.map(({ certPem }) => certPem) as [string, string, string]
    const index = [
      revoked(first, '260304050607Z,keyCompromise'),
      revoked(second, '260304050608Z,holdInstruction,holdInstructionReject'),
      revoked(third, '260304050609Z'),
    ]
    const at = await workshop(issuing.certPem, issuing.keyPem, index)
    const pem = await listBy(at)
    const der = execFileSync('openssl', ['crl', '-in', at('list.pem'), '-outform', 'DER'])
    for (const file of [pem, der]) {
      const trust = await bundles()
      expect(trust.add('test', 'base', file).revocationLists).toMatchObject([{ entries: 3 }])
      expect(certificates.map(({ certDer }) => trust.revokedAt('test', certDer))).toEqual(
        [7, 8, 9].map((second) => Date.UTC(2026, 2, 4, 5, 6, second)),
      )
    }
  })

  test('a list of an ECDSA authority is believed', async () => {
    const at = await workshop('', '')
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-384', '-nodes', '-keyout', at('ca.key')]
    execFileSync('openssl', ['req', '-x509', ...key, '-subj', '/C=HR/CN=EC CA', '-out', at('ca.pem')], {
      stdio: 'pipe',
    })
    const trust = await bundles()
    trust.add('test', 'base', readFileSync(at('ca.pem')))
    trust.add('test', 'base', await listBy(at, '-md', 'sha384'))
    expect(trust.revocationLists('test')).toMatchObject([{ issuer: 'CN=EC CA,C=HR', entries: 0 }])
  })

  test('a part of a list is taken, an indirect and a delta list are not', async () => {
    const { certPem, certDer } = await certificateOf(OIBS[0])
    const index = [revoked(certPem, '260304050607Z')]
    const made = async (extensions: string) =>
      listBy(await workshop(issuing.certPem, issuing.keyPem, index, extensions))
    const trust = await bundles()
    await expect(made(EXTENSIONS.indirect).then((list) => trust.add('test', 'base', list))).rejects.toThrow(
      'of other issuers',
    )
    await expect(made(EXTENSIONS.delta).then((list) => trust.add('test', 'base', list))).rejects.toThrow('a delta list')
    expect(trust.revokedAt('test', certDer)).toBeNull()
    trust.add('test', 'base', await made(EXTENSIONS.part))
    expect(trust.revokedAt('test', certDer)).toBe(Date.UTC(2026, 2, 4, 5, 6, 7))
  })

  test('the lists that the other tests make are lists to openssl too', async () => {
    const { certDer, certPem } = await certificateOf(OIBS[0])
    const at = await workshop(issuing.certPem, issuing.keyPem)
    writeFileSync(at('leaf.pem'), certPem)
    writeFileSync(at('root.pem'), pki.toJSON().root.certPem)
    const entries = [entryFor(certDer, new Date('2026-03-04T05:06:07Z'), { reason: 1 })]
    writeFileSync(at('made.pem'), listPem(makeList({ by: issuing, entries })))
    const chain = ['-CAfile', at('root.pem'), '-untrusted', at('ca.pem'), '-CRLfile', at('made.pem')]
    const check = () =>
      execFileSync('openssl', ['verify', '-crl_check', ...chain, at('leaf.pem')], { stdio: 'pipe', encoding: 'utf8' })
    expect(check).toThrow('certificate revoked')
    writeFileSync(at('made.pem'), listPem(makeList({ by: issuing })))
    expect(check()).toContain('leaf.pem: OK')
  })
})
