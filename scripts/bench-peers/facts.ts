import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { issuerAndSerial } from '../../src/cis/message/sign-message.ts'
import type { CompanyCertificate, Pki } from '../../src/simulator/index.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { OIB } from '../chaos/shop.ts'

/** What every way is started with, as JSON. */
export type Facts = ReturnType<typeof writeFacts>

/** Puts keys and certificates where the ways find them. */
export function writeFacts(pki: Pki, company: CompanyCertificate, scratch: Scratch) {
  const file = (name: string, text: string) => {
    const path = join(scratch.dir, name)
    writeFileSync(path, text)
    return path
  }
  const authorities = pki.bundlePem.match(/-----BEGIN.+?END CERTIFICATE-----/gs) ?? []
  const { issuerName: issuer, serialNumber: serial } = issuerAndSerial(company.certDer)
  return {
    /** What stands in each message, that of fiskd's shop, and in its signature. */
    sale: {
      oib: OIB,
      vatRegistered: 'true',
      sequenceMark: 'P',
      premises: 'POSL1',
      register: '101',
      vat: { rate: '25.00', base: '2.00', amount: '0.50' },
      total: '2.50',
      payment: 'G',
      operator: OIB,
      issuer,
      serial,
    },
    files: {
      key: file('key.pem', company.keyPem),
      certificate: file('certificate.pem', company.certPem),
      /** The certificate that signs the answers. */
      signer: file('signer.pem', pki.signer.certPem),
      /** Root and issuing CA in one file, and each alone. */
      authorities: file('authorities.pem', pki.bundlePem),
      eachAuthority: authorities.map((pem, i) => file(`authority-${i}.pem`, `${pem}\n`)),
    },
  }
}
