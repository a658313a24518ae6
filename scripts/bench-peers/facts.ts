import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { issuerAndSerial } from '../../src/cis/message/sign-message.ts'
import type { CompanyCertificate, Pki } from '../../src/simulator/index.ts'
import type { Scratch } from '../chaos/scratch.ts'
import { OIB } from '../chaos/shop.ts'

/** What every way is started with, as JSON. */
export interface Facts {
  /** What stands in each message, that of fiskd's shop, and in its signature. */
  sale: Record<
    | 'oib'
    | 'vatRegistered'
    | 'sequenceMark'
    | 'premises'
    | 'register'
    | 'total'
    | 'payment'
    | 'operator'
    | 'issuer'
    | 'serial',
    string
  >
  files: {
    key: string
    certificate: string
    /** The certificate that signs the answers. */
    signer: string
    /** Root and issuing CA in one file, and each alone. */
    authorities: string
    eachAuthority: string[]
  }
}

/** Puts keys and certificates where the ways find them. */
export function writeFacts(pki: Pki, company: CompanyCertificate, scratch: Scratch): Facts {
  const file = (name: string, text: string) => {
    const path = join(scratch.dir, name)
    writeFileSync(path, text)
    return path
  }
  const authorities = pki.bundlePem.match(/-----BEGIN.+?END CERTIFICATE-----/gs) ?? []
  const { issuerName: issuer, serialNumber: serial } = issuerAndSerial(company.certDer)
  return {
    sale: {
      oib: OIB,
      vatRegistered: 'true',
      sequenceMark: 'P',
      premises: 'POSL1',
      register: '101',
      total: '2.50',
      payment: 'G',
      operator: OIB,
      issuer,
      serial,
    },
    files: {
      key: file('key.pem', company.keyPem),
      certificate: file('certificate.pem', company.certPem),
      signer: file('signer.pem', pki.signer.certPem),
      authorities: file('authorities.pem', pki.bundlePem),
      eachAuthority: authorities.map((pem, i) => file(`authority-${i}.pem`, `${pem}\n`)),
    },
  }
}
