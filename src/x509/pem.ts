/** What bundles are made of, by the name of its PEM blocks. */
type Kind = 'CERTIFICATE' | 'X509 CRL'

/** DER as PEM text, the form in which bundles are kept and TLS takes certificates. */
export function pemOf(ders: Buffer[], kind: Kind = 'CERTIFICATE'): string {
  return ders.map((der) => blockOf(der, kind)).join('')
}

function blockOf(der: Buffer, kind: Kind): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN ${kind}-----\n${lines.join('\n')}\n-----END ${kind}-----\n`
}
