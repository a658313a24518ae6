import { X509Certificate } from 'node:crypto'
import forge from 'node-forge'
import { afterAll, describe, expect, test } from 'vitest'
import { openPkcs12 } from '../../src/certificates/pkcs12.ts'
import { hasOpenssl, openWorkshop } from '../support/pkcs12-files.ts'
import { refusalOf, refused } from './support/refusals.ts'
import { whileTicking } from './support/ticks.ts'

// Files by the tool that most technicians use; what can be shown without it is in pkcs12.test.ts.
if (hasOpenssl() || process.env.FISKD_REQUIRE_TOOLS === '1') filesByOpenssl()
else test.skip('PKCS#12 files of the openssl command open (it is not installed here)')

function filesByOpenssl() {
  const SUBJECT = '/C=HR/O=Čevapi i Đumbir d.o.o./organizationIdentifier=VATHR-02994650199/L=Žminj/CN=FISKAL 1'
  const workshop = openWorkshop()
  afterAll(() => workshop.close())
  const company = workshop.makeCertificate('company', SUBJECT)

  const AES = ['-keypbe', 'AES-256-CBC', '-certpbe', 'AES-256-CBC', '-macalg', 'sha256']
  const OLD = ['-legacy'] // RC2-40 for the certificates, 3DES for the key, a SHA-1 MAC

  const companyFile = (passphrase: string, options: string[] = AES, certPaths = [company.certPath]) =>
    workshop.exportPkcs12({ keyPath: company.keyPath, certPaths, passphrase, options })

  describe.each(['lozinka', 'šifra-čćž', '😀 emoji', ''])('with the passphrase "%s"', (passphrase) => {
    test.each([
      ['AES-256 and a SHA-256 MAC', AES],
      ['RC2-40, 3DES and a SHA-1 MAC', OLD],
      ['3DES alone', ['-legacy', '-certpbe', 'PBE-SHA1-3DES']],
      ['128-bit RC2 and two-key 3DES', ['-legacy', '-certpbe', 'PBE-SHA1-RC2-128', '-keypbe', 'PBE-SHA1-2DES']],
      ['old and new ciphers mixed', ['-legacy', '-keypbe', 'AES-128-CBC', '-macalg', 'sha512']],
      ['certificates in clear', ['-certpbe', 'NONE', '-macalg', 'sha384']],
    ])('a file with %s opens', async (_name, options) => {
      const opened = await openPkcs12(companyFile(passphrase, options), passphrase)
      expect(opened.privateKey.equals(company.keyDer)).toBe(true)
      expect(opened.certificate.equals(company.certDer)).toBe(true)
    })
  })

  test('a file whose key is in clear opens when its MAC holds', async () => {
    const opened = await openPkcs12(companyFile('x', ['-keypbe', 'NONE', '-certpbe', 'NONE']), 'x')
    expect(opened.privateKey.equals(company.keyDer)).toBe(true)
  })

  test.each([
    ['an empty passphrase as no bytes at all', '', null],
    ['every byte of the UTF-8 text as a character', 'šifra', Buffer.from('šifra').toString('latin1')],
  ])('a file of a tool that encoded %s opens', async (_how, passphrase, asForgeReadsIt) => {
    const file = companyFile('other', ['-keypbe', 'NONE', '-certpbe', 'NONE', '-macalg', 'sha1'])
    const opened = await openPkcs12(withMacOf(file, asForgeReadsIt), passphrase)
    expect(opened.subjectCn).toBe('FISKAL 1')
  })

  test('the certificate is described', async () => {
    const x509 = new X509Certificate(company.certDer)
    expect(await openPkcs12(companyFile('x'), 'x')).toMatchObject({
      intermediates: [],
      subjectOib: '02994650199',
      subjectCn: 'FISKAL 1',
      issuer: 'CN=FISKAL 1,L=Žminj,organizationIdentifier=VATHR-02994650199,O=Čevapi i Đumbir d.o.o.,C=HR',
      serial: x509.serialNumber,
      notBefore: Date.parse(x509.validFrom),
      notAfter: Date.parse(x509.validTo),
    })
  })

  test('of two certificates for one key the one that lasts longer is the leaf', async () => {
    const renewed = workshop.certify('renewed', SUBJECT, company.keyPath, 300)
    for (const certPaths of [
      [company.certPath, renewed.certPath],
      [renewed.certPath, company.certPath],
    ]) {
      const opened = await openPkcs12(companyFile('x', AES, certPaths), 'x')
      expect(opened.certificate.equals(renewed.certDer)).toBe(true)
    }
  })

  test('other work goes on while a file with 600,000 iterations opens, and while it refuses a passphrase', async () => {
    const file = companyFile('čćž', [...AES, '-iter', '600000'])
    const opened = await whileTicking(() => openPkcs12(file, 'čćž'))
    expect(opened.certificate.equals(company.certDer)).toBe(true)
    expect(await whileTicking(() => refusalOf(file, 'ccz'))).toMatchObject(refused('passphrase', /does not open/))
  })

  test('a wrong passphrase is the passphrase field, and appears in no error', async () => {
    for (const options of [AES, OLD]) {
      for (const wrong of ['šifra-kriva', 'SIFRA', '']) {
        const error = await refusalOf(companyFile('šifra', options), wrong)
        expect(error).toMatchObject(refused('passphrase', /does not open the file/))
        expect(error.cause).toBeUndefined()
        if (wrong !== '') expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain(wrong)
      }
    }
  })

  test('a file without a key or without a certificate is refused', async () => {
    const noKey = workshop.exportPkcs12({ certPaths: [company.certPath], passphrase: 'x' })
    expect(await refusalOf(noKey, 'x')).toMatchObject(refused('file', /no private key/))
    const noCertificate = workshop.exportPkcs12({ keyPath: company.keyPath, passphrase: 'x' })
    expect(await refusalOf(noCertificate, 'x')).toMatchObject(refused('file', /no certificate for its private key/))
  })

  test('a key that is not RSA is refused', async () => {
    const ec = workshop.makeCertificate('ec', '/CN=ec', ['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256'])
    const file = workshop.exportPkcs12({ keyPath: ec.keyPath, certPaths: [ec.certPath], passphrase: 'x' })
    expect(await refusalOf(file, 'x')).toMatchObject(refused('file', /type ec; .* RSA only/))
  })

  test('a file without a MAC is refused', async () => {
    expect(await refusalOf(companyFile('x', ['-nomac']), 'x')).toMatchObject(
      refused('file', /no passphrase protects it/),
    )
  })
}

/** The same file with its SHA-1 MAC made anew, by node-forge and from a passphrase in node-forge's encoding. */
function withMacOf(file: Buffer, passphrase: string | null): Buffer {
  const pfx = forge.asn1.fromDer(file.toString('latin1'))
  const salt = forge.util.createBuffer(child(pfx, 2, 1).value as string)
  const iterations = Number.parseInt(forge.util.bytesToHex(child(pfx, 2, 2).value as string), 16)
  const md = forge.md.sha1.create()
  const hmac = forge.hmac.create()
  hmac.start(md, forge.pkcs12.generateKey(passphrase, salt, 3, iterations, 20, md))
  hmac.update(child(pfx, 1, 1, 0).value as string)
  child(pfx, 2, 0, 1).value = hmac.getMac().getBytes()
  return Buffer.from(forge.asn1.toDer(pfx).getBytes(), 'latin1')
}

function child(node: forge.asn1.Asn1, ...path: number[]): forge.asn1.Asn1 {
  return path.reduce((at, i) => (at.value as forge.asn1.Asn1[])[i] as forge.asn1.Asn1, node)
}
