type Label = 'CERTIFICATE' | 'X509 CRL' | 'PRIVATE KEY'

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Encodes DER as PEM text (RFC 7468), one block per element. */
export function pemOf(ders: readonly Uint8Array[], label: Label = 'CERTIFICATE'): string {
  return ders.map((der) => blockOf(der, label)).join('')
}

function blockOf(der: Uint8Array, label: Label): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

/** The certificates of a PEM text, each as its own block without a line feed at the end. */
export function certificateBlocks(pem: string): string[] {
  return pem.match(CERTIFICATE) ?? []
}
