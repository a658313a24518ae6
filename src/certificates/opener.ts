import type { CertificateOpener } from '../fiscal/ports.ts'
import { openPkcs12 } from './pkcs12.ts'

export function createCertificateOpener(): CertificateOpener {
  return { open: openPkcs12 }
}
