import { FiskError } from '../domain/errors.ts'
import { createFairQueue } from '../domain/fair-queue.ts'
import type { CertificateOpener } from '../fiscal/ports/certificates.ts'

/** The most expensive file takes some seconds on a small machine. */
const RETRY_AFTER_S = 10

/** Opens one file at a time: each may use a core for seconds. The modules are loaded with the first file. */
export function createCertificateOpener(): CertificateOpener {
  const queue = createFairQueue({ mostOfOneKey: 2, most: 8, full })
  return {
    open: (file, passphrase, { requestedBy, signal }) =>
      queue.run(requestedBy, async () => (await import('./pkcs12.ts')).openPkcs12(file, passphrase, signal), signal),
  }
}

const full = () =>
  new FiskError('rate_limited', `other certificate files are being opened: wait ${RETRY_AFTER_S} seconds`, {
    reason: 'certificates_busy',
    retryAfterS: RETRY_AFTER_S,
  })
