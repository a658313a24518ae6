import { createPrivateKey, X509Certificate } from 'node:crypto'
import forge from 'node-forge'
import { expect, test } from 'vitest'
import { openPkcs12 } from '../../src/certificates/pkcs12.ts'
import { FiskError } from '../../src/domain/errors.ts'
import { type ContainerAlgorithm, makePkcs12 } from '../../src/simulator/pkcs12.ts'
import { type Issued, issue } from '../support/issued-certificates.ts'
import { processorTime } from '../support/processor-time.ts'
import { refusalOf, refused } from './support/refusals.ts'
import { whileTicking } from './support/ticks.ts'

const company = issue({ name: 'FISKAL 1', bits: 2048 })
const short = issue({ name: 'Short' })

interface FileOrder {
  keys?: Issued[]
  certificates?: Issued[]
  passphrase?: string
  algorithm?: ContainerAlgorithm
}

const file = ({ keys = [company], certificates = [company], passphrase = 'x', algorithm = 'aes256' }: FileOrder = {}) =>
  makePkcs12({
    keyPems: keys.map(({ key }) => forge.pki.privateKeyToPem(key)),
    certPems: certificates.map(({ der }) => new X509Certificate(der).toString()),
    passphrase,
    algorithm,
  })

const plainFile = file()

test.each(['lozinka', 'šifra-čćž', ''])(
  'files of both kinds open with the passphrase "%s" and with no other',
  async (passphrase) => {
    for (const algorithm of ['aes256', '3des'] as const) {
      const made = file({ passphrase, algorithm })
      const opened = await openPkcs12(made, passphrase)
      expect(createPrivateKey({ key: opened.privateKey, format: 'der', type: 'pkcs8' }).asymmetricKeyType).toBe('rsa')
      expect(opened).toMatchObject({
        certificate: company.der,
        subjectCn: 'FISKAL 1',
        intermediates: [],
        subjectOib: null,
      })
      expect(await refusalOf(made, `${passphrase}!`)).toMatchObject(refused('passphrase', /does not open/))
    }
  },
)

test('the leaf is the certificate of the key, wherever it stands, and the others are intermediates', async () => {
  const opened = await openPkcs12(file({ certificates: [short, company] }), 'x')
  expect(opened.certificate.equals(company.der)).toBe(true)
  expect(opened.intermediates.map((der) => der.equals(short.der))).toEqual([true])
})

test('of two certificates for one key the one that an authority issued is the leaf', async () => {
  const issued = issue({ name: 'FISKAL 1', by: short, keysOf: company, notAfter: new Date(Date.now() + 1000) })
  expect((await openPkcs12(file({ certificates: [company, issued] }), 'x')).certificate.equals(issued.der)).toBe(true)
})

test('a file without a key, with two keys or without a certificate for the key is refused', async () => {
  expect(await refusalOf(file({ keys: [] }), 'x')).toMatchObject(refused('file', /no private key/))
  expect(await refusalOf(file({ keys: [company, short] }), 'x')).toMatchObject(
    refused('file', /2 private keys; export only the one/),
  )
  expect(await refusalOf(file({ certificates: [short] }), 'x')).toMatchObject(
    refused('file', /no certificate for its private key/),
  )
})

test('a key shorter than 2048 bits is refused', async () => {
  expect(await refusalOf(file({ keys: [short], certificates: [short] }), 'x')).toMatchObject(
    refused('file', /1024 bits; 2048 or more/),
  )
})

test('a BER file with indefinite lengths and strings in pieces opens', async () => {
  const body = plainFile.subarray(4) // behind 30 82 xx xx
  const indefinite = Buffer.concat([Buffer.of(0x30, 0x80), body, Buffer.of(0, 0)])
  expect(await openPkcs12(indefinite, 'x')).toMatchObject({ subjectCn: 'FISKAL 1' })
  expect(await openPkcs12(Buffer.concat([indefinite, Buffer.from('\n')]), 'x')).toMatchObject({
    subjectCn: 'FISKAL 1',
  })

  const pfx = forge.asn1.fromDer(plainFile.toString('latin1'))
  const safes = child(pfx, 1, 1, 0)
  const whole = safes.value as string
  const piece = (text: string) => forge.asn1.create(safes.tagClass, safes.type, false, text)
  safes.value = [piece(whole.slice(0, 100)), piece(whole.slice(100))]
  safes.constructed = true
  safes.composed = true
  expect(await openPkcs12(derOf(pfx), 'x')).toMatchObject({ subjectCn: 'FISKAL 1' })
})

test.each([
  ['a newline', Buffer.from('\r\n')],
  ['zeros', Buffer.alloc(512)],
  ['bytes of something else', Buffer.alloc(64, 0xff)],
])('a file with %s after its end opens', async (_what, tail) => {
  expect(await openPkcs12(Buffer.concat([plainFile, tail]), 'x')).toMatchObject({ certificate: company.der })
})

test('other work goes on while a wrong passphrase is tried on a file with 600,000 iterations', async () => {
  const dear = withMacIterations('0927c0')
  expect(await whileTicking(() => refusalOf(dear, 'y'))).toMatchObject(refused('passphrase', /does not open/))
})

test('PEM text is refused with the command that makes a PKCS#12 of it', async () => {
  const pem = Buffer.from(new X509Certificate(company.der).toString())
  expect(await refusalOf(pem, 'x')).toMatchObject(refused('file', /openssl pkcs12 -export/))
})

test('a certificate, a key, nothing and random bytes are refused as a file', async () => {
  const key = Buffer.from((await openPkcs12(plainFile, 'x')).privateKey)
  const publicKey = new X509Certificate(company.der).publicKey.export({ type: 'spki', format: 'der' })
  for (const other of [company.der, key, publicKey, Buffer.alloc(0), Buffer.alloc(5000, 0x5a)]) {
    expect(await refusalOf(other, 'x')).toMatchObject(refused('file', /cannot be used as a certificate/))
  }
})

test('a file cut short is refused, a changed one is refused or yields the same key and certificate', async () => {
  const { privateKey } = await openPkcs12(plainFile, 'x')
  const outcomeOf = async (changed: Buffer) => {
    try {
      const opened = await openPkcs12(changed, 'x')
      return opened.privateKey.equals(privateKey) && opened.certificate.equals(company.der)
        ? 'unchanged'
        : 'another key'
    } catch (error) {
      return error instanceof FiskError ? error.param : 'another error'
    }
  }
  for (let length = 0; length < plainFile.length; length += 13) {
    expect(await refusalOf(plainFile.subarray(0, length), 'x')).toMatchObject({
      code: 'invalid_request',
      param: 'file',
    })
  }
  for (let i = 0; i < plainFile.length; i += 17) {
    const changed = Buffer.from(plainFile)
    changed.writeUInt8(changed.readUInt8(i) ^ 0x15, i)
    // Some bytes, such as a tag nobody reads, may change without changing what the file says.
    expect(['file', 'passphrase', 'unchanged']).toContain(await outcomeOf(changed))
  }
})

test('an iteration count that no tool writes is refused before the work is done', async () => {
  const spent = processorTime()
  for (const count of ['00', 'ff', '7fffffff', '00ffffffff', '7fffffffffffffff']) {
    expect(await refusalOf(withMacIterations(count), 'x')).toMatchObject(refused('file', /iteration|absurd/))
  }
  expect(spent()).toBeLessThan(500)
})

test('deeply nested bytes and a quarter of a megabyte of tiny values are refused quickly', async () => {
  const spent = processorTime()
  for (const bomb of [
    Buffer.alloc(256 * 1024, Buffer.of(0x30, 0x80)),
    Buffer.alloc(256 * 1024, Buffer.of(0x24, 0x80)),
    Buffer.concat([Buffer.from('3083040000', 'hex'), Buffer.alloc(256 * 1024, Buffer.of(0x05, 0x00))]),
    Buffer.alloc(256 * 1024, 0xff),
  ]) {
    expect(await refusalOf(bomb, 'x')).toMatchObject(refused('file', /cannot be used/))
  }
  expect(spent()).toBeLessThan(3000)
})

function withMacIterations(countHex: string): Buffer {
  const pfx = forge.asn1.fromDer(plainFile.toString('latin1'))
  const count = forge.util.hexToBytes(countHex)
  const macData = child(pfx, 2).value as forge.asn1.Asn1[]
  macData[2] = forge.asn1.create(forge.asn1.Class.UNIVERSAL, forge.asn1.Type.INTEGER, false, count)
  return derOf(pfx)
}

function derOf(node: forge.asn1.Asn1): Buffer {
  return Buffer.from(forge.asn1.toDer(node).getBytes(), 'latin1')
}

function child(node: forge.asn1.Asn1, ...path: number[]): forge.asn1.Asn1 {
  return path.reduce((at, i) => (at.value as forge.asn1.Asn1[])[i] as forge.asn1.Asn1, node)
}
