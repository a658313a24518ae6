import { X509Certificate } from 'node:crypto'
import forge from 'node-forge'
import { makePkcs12 } from '../../src/simulator/pkcs12.ts'
import { issue } from './issued-certificates.ts'

/**
 * A PKCS#12 file of some 3 KB whose MAC asks for this many rounds. No passphrase opens it: each of the two encodings of a
 * passphrase is tried, so that it costs twice the rounds.
 */
export function slowPkcs12(rounds = 950_000): Buffer {
  const { key, der } = issue({ name: 'FISKAL 1', bits: 2048 })
  const keyPems = [forge.pki.privateKeyToPem(key)]
  const certPems = [new X509Certificate(der).toString()]
  const honest = makePkcs12({ keyPems, certPems, passphrase: 'x', algorithm: 'aes256' })
  const file = forge.asn1.fromDer(honest.toString('binary'))
  const [, , macData] = file.value as forge.asn1.Asn1[]
  if (!macData) throw new Error('the file has no MAC')
  const { Class, Type } = forge.asn1
  const iterations = forge.asn1.integerToDer(rounds).getBytes()
  const [digest, salt] = macData.value as [forge.asn1.Asn1, forge.asn1.Asn1]
  macData.value = [digest, salt, forge.asn1.create(Class.UNIVERSAL, Type.INTEGER, false, iterations)]
  return Buffer.from(forge.asn1.toDer(file).getBytes(), 'binary')
}
