import { FiskError } from '../domain/errors.ts'
import { createFairQueue } from '../domain/fair-queue.ts'
import type { CertificateOpener } from '../fiscal/ports/certificates.ts'

/** The dearest file takes some seconds on a small machine. */
const RETRY_AFTER_S = 10

/**
 * One file at a time in the whole process, for each may keep a core busy for seconds. What reads such files is loaded with
 * the first one: a company brings a certificate every few years.
 */
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
