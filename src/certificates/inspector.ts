import { createPrivateKey, type KeyObject, sign, verify, X509Certificate } from 'node:crypto'
import type { RelativeDistinguishedNames } from 'pkijs'
import { attempt } from '../domain/attempt.ts'
import { isOib } from '../domain/oib.ts'
import type { CertificateInspector } from '../fiscal/ports/certificates.ts'
import { attributeTexts } from '../x509/distinguished-name.ts'
import { parseCertificate } from '../x509/parsed-certificate.ts'

const ORGANIZATION_IDENTIFIER = '2.5.4.97'
const ORGANIZATION = '2.5.4.10'

/** `HR02994650199`, also `VATHR-02994650199`. */
const IDENTIFIER_FORM = /^(?:VAT)?HR-?(\d{11})$/

/** `APIS IT D.O.O. HR02994650199`: a separate word after the company's name. */
const ORGANIZATION_FORM = /(?<=^|[\s,;])HR(\d{11})(?=$|[\s,;])/g

/**
 * The OIB in a certificate's subject (docs/spec/cis.md, Application certificates): in newer certificates in
 * `organizationIdentifier`, in older ones after the name in `O`. Null when neither contains one with a correct check
 * digit, or when `O` contains two different ones.
 */
export function subjectOib(subject: RelativeDistinguishedNames): string | null {
  const identified = attributeTexts(subject, ORGANIZATION_IDENTIFIER).map(
    (text) => IDENTIFIER_FORM.exec(text.trim())?.[1],
  )
  const organized = attributeTexts(subject, ORGANIZATION).flatMap((text) =>
    Array.from(text.matchAll(ORGANIZATION_FORM), (match) => match[1]),
  )
  return onlyOib(identified) ?? onlyOib(organized)
}

function onlyOib(candidates: (string | undefined)[]): string | null {
  const oibs = new Set(candidates.filter(isOib))
  const [oib] = oibs
  return oibs.size === 1 && oib !== undefined ? oib : null
}

/** Where issuers write an OIB; the likeliest place to be meant comes first. */
const ANYWHERE = { organizationIdentifier: ORGANIZATION_IDENTIFIER, O: ORGANIZATION, serialNumber: '2.5.4.5' }

/** Another OIB than that of `subjectOib`, such as `serialNumber=PNOHR-02994650199`, for people; null without one. */
export function oibElsewhere(subject: RelativeDistinguishedNames): string | null {
  for (const [name, type] of Object.entries(ANYWHERE)) {
    const text = attributeTexts(subject, type).find((one) => one.match(/(?<!\d)\d{11}(?!\d)/g)?.some(isOib))
    if (text !== undefined) return `${name}=${text.trim().slice(0, 100)}`
  }
  return null
}

const SAMPLE = Buffer.from('fiskd')

/** A test signature, as of a sale: unlike equal public numbers it also proves that the private part is undamaged. */
export function belongsTogether(key: KeyObject, certificate: X509Certificate): boolean {
  const proves = () => verify('sha256', SAMPLE, certificate.publicKey, sign('sha256', SAMPLE, key))
  return attempt(() => certificate.checkPrivateKey(key) && proves(), false)
}

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
