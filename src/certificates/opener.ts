import type { CertificateOpener } from '../fiscal/ports.ts'

/** What reads such files is loaded with the first one: a company brings a certificate every few years. */
export function createCertificateOpener(): CertificateOpener {
  return { open: async (file, passphrase) => (await import('./pkcs12.ts')).openPkcs12(file, passphrase) }
}
