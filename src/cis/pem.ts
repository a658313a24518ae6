/** Certificates as PEM text, the form in which bundles are kept and TLS takes them. */
export function pemOf(ders: Buffer[]): string {
  return ders.map(certificatePem).join('')
}

function certificatePem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
