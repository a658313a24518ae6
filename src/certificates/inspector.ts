import { createPrivateKey, X509Certificate } from 'node:crypto'
import { attempt } from '../domain/attempt.ts'
import type { CertificateInspector } from '../fiscal/ports/certificates.ts'
import { parseCertificate } from '../x509/parsed-certificate.ts'
import { belongsTogether } from './key-proof.ts'
import { subjectOib } from './subject-oib.ts'

export function createCertificateInspector(): CertificateInspector {
  return {
    subjectOib: (certificate) => subjectOib(parseCertificate(certificate).pki.subject),
    belongTogether(privateKey, certificate) {
      const key = attempt(() => createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' }), null)
      const leaf = attempt(() => new X509Certificate(certificate), null)
      return key !== null && leaf !== null && belongsTogether(key, leaf)
    },
  }
}
