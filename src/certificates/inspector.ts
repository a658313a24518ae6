import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import type { CertificateInspector } from '../fiscal/ports/certificates.ts'
import { parseCertificate } from '../x509/parsed-certificate.ts'
import { belongsTogether } from './key-proof.ts'
import { subjectOib } from './subject-oib.ts'

export function createCertificateInspector(): CertificateInspector {
  return {
    subjectOib: (certificate) => subjectOib(parseCertificate(certificate).pki.subject),
    belongTogether(privateKey, certificate) {
      let key: KeyObject
      let leaf: X509Certificate
      try {
        key = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' })
        leaf = new X509Certificate(certificate)
      } catch {
        return false
      }
      return belongsTogether(key, leaf)
    },
  }
}
