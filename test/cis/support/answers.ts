import { SignedXml } from 'xml-crypto'
import { ALGORITHMS } from '../../../src/cis/namespaces.ts'
import { pki } from '../../support/pki.ts'
import { MESSAGE_ID } from './messages.ts'

export const JIR = '9d6f5bb6-da48-4fcd-a803-4586a025e0e4'
export const F73 = 'http://www.apis-it.hr/fin/2012/types/f73'
export const SOAP = 'http://schemas.xmlsoap.org/soap/envelope/'

export function racunOdgovor({
  id = 'G1',
  messageId = MESSAGE_ID,
  said = `<tns:Jir>${JIR}</tns:Jir>`,
  attributes = '',
} = {}): string {
  return (
    `<tns:RacunOdgovor xmlns:tns="${F73}" Id="${id}"${attributes}><tns:Zaglavlje><tns:IdPoruke>${messageId}</tns:IdPoruke>` +
    `<tns:DatumVrijeme>01.07.2026T10:16:01</tns:DatumVrijeme></tns:Zaglavlje>${said}</tns:RacunOdgovor>`
  )
}

export function greske(...errors: [code: string, message: string][]): string {
  const list = errors.map(
    ([code, message]) =>
      `<tns:Greska><tns:SifraGreske>${code}</tns:SifraGreske><tns:PorukaGreske>${message}</tns:PorukaGreske></tns:Greska>`,
  )
  return `<tns:Greske>${list.join('')}</tns:Greske>`
}

export function inEnvelope(content: string, { header = '', attributes = '' } = {}): string {
  return (
    `<?xml version="1.0" encoding="UTF-8"?><soap:Envelope xmlns:soap="${SOAP}"${attributes}>${header}` +
    `<soap:Body>${content}</soap:Body></soap:Envelope>`
  )
}

export interface SigningChoice {
  signer?: { keyPem: string; certPem: string }
  c14n?: string
  transforms?: string[]
  signature?: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' | 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
  digest?: string
  /** PEM, in place of the signer's own. */
  certificates?: string[]
  xpath?: string
  /** The element that the signature goes into; default `RacunOdgovor`. */
  into?: string
}

/** Signs the RacunOdgovor of a document the way the service does, unless something else is chosen. */
export function signed(xml: string, choice: SigningChoice = {}): string {
  const { signer = pki.signer, c14n = ALGORITHMS.inclusiveC14n, certificates = [signer.certPem] } = choice
  const signing = new SignedXml({
    privateKey: signer.keyPem,
    canonicalizationAlgorithm: c14n as typeof ALGORITHMS.inclusiveC14n,
    signatureAlgorithm: choice.signature ?? ALGORITHMS.rsaSha256,
    getKeyInfoContent: () => `<X509Data>${certificates.map(certificateElement).join('')}</X509Data>`,
  })
  signing.addReference({
    xpath: choice.xpath ?? "//*[local-name()='RacunOdgovor']",
    transforms: (choice.transforms ?? [ALGORITHMS.envelopedSignature, c14n]) as [typeof ALGORITHMS.inclusiveC14n],
    digestAlgorithm: choice.digest ?? ALGORITHMS.sha256,
  })
  const reference = `//*[local-name()='${choice.into ?? 'RacunOdgovor'}']`
  signing.computeSignature(xml, { location: { reference, action: 'append' } })
  return signing.getSignedXml()
}

/** A whole answer as the service sends it. */
export function answer(changes: Parameters<typeof racunOdgovor>[0] = {}, choice: SigningChoice = {}): string {
  return signed(inEnvelope(racunOdgovor(changes)), choice)
}

function certificateElement(pem: string): string {
  return `<X509Certificate>${pem.replace(/-----[A-Z ]+-----|\s/g, '')}</X509Certificate>`
}

/** An empty signature of the service's kind, for a tool to fill in. */
export function signatureTemplate(id = 'G1'): string {
  return (
    '<Signature xmlns="http://www.w3.org/2000/09/xmldsig#"><SignedInfo>' +
    `<CanonicalizationMethod Algorithm="${ALGORITHMS.inclusiveC14n}"/>` +
    `<SignatureMethod Algorithm="${ALGORITHMS.rsaSha256}"/><Reference URI="#${id}"><Transforms>` +
    `<Transform Algorithm="${ALGORITHMS.envelopedSignature}"/><Transform Algorithm="${ALGORITHMS.inclusiveC14n}"/>` +
    `</Transforms><DigestMethod Algorithm="${ALGORITHMS.sha256}"/><DigestValue/></Reference></SignedInfo>` +
    '<SignatureValue/><KeyInfo><X509Data><X509Certificate/></X509Data></KeyInfo></Signature>'
  )
}
