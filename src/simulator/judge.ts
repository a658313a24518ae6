import { createHash, createVerify, X509Certificate } from 'node:crypto'
import { XmlDocument, type XmlElement, XsdValidator } from 'libxml2-wasm'
import { type CisError, cisError } from './errors.ts'
import { judgeReceipt, type RegisteredDevice } from './judge-receipt.ts'
import type { Pki } from './pki.ts'
import { RACUN_XSD } from './schema.ts'
import { canonicalize, childElements, childNamed, DSIG_NS, EXCLUSIVE_C14N, F73_NS, isNamed, textAt } from './xml.ts'
import { momentsOf } from './zagreb.ts'

export interface JudgeContext {
  pki: Pki
  /** Epoch milliseconds. */
  now: number
  /** The devices in the portal; null to skip the check. */
  registry: readonly RegisteredDevice[] | null
}

/** The first fault of schema, signature, certificate, then receipt; null without one. Removes the signature. */
export function judge(request: XmlElement, context: JudgeContext): CisError | null {
  const formError = judgeForm(request, context)
  if (formError !== null) return formError
  const receipt = childNamed(request, F73_NS, 'Racun')
  return receipt === null ? null : judgeReceipt(receipt, context.now, context.registry)
}

/** What holds for every message: schema, signature, certificate. @param isSigned a check may come without a signature */
export function judgeForm(request: XmlElement, { pki, now }: JudgeContext, isSigned = true): CisError | null {
  const schemaError = judgeSchema(request)
  if (schemaError !== null || !isSigned) return schemaError

  const signature = judgeSignature(request)
  if ('error' in signature) return signature.error

  const oib = textAt(request, 'Racun', 'Oib') ?? textAt(request, 'PoslovniProstor', 'Oib') ?? textAt(request, 'Oib')
  return judgeCertificate(signature.certificate, oib ?? '', pki, now)
}

let validator: XsdValidator | null = null

/** `s001` when the request does not match the schema, or contains a date that does not exist. */
function judgeSchema(request: XmlElement): CisError | null {
  validator ??= compile()
  try {
    validator.validate(request)
  } catch (error) {
    return cisError('s001', firstLine(error))
  }
  for (const path of [
    ['Zaglavlje', 'DatumVrijeme'],
    ['Racun', 'DatVrijeme'],
  ]) {
    const text = textAt(request, ...path)
    // Hours hold no sale.
    if (text === null) continue
    if (momentsOf(text) === null) return cisError('s001', `${path.join('/')}: ${text}`)
  }
  for (const { content } of request.find('.//f:DatumOd | .//f:DatumDo | .//f:Datum', { f: F73_NS })) {
    if (momentsOf(`${content}T12:00:00`) === null) return cisError('s001', content)
  }
  return null
}

function compile(): XsdValidator {
  const schema = XmlDocument.fromString(RACUN_XSD)
  try {
    return XsdValidator.fromDoc(schema)
  } finally {
    schema.dispose()
  }
}

function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? ''
}

/** `s002`: no chain to the PKI, or not valid now; `s003`: no OIB; `s005`: one of its OIBs is not the message's. */
function judgeCertificate(certificate: X509Certificate, oib: string, pki: Pki, now: number): CisError | null {
  if (!chains(certificate, pki, now)) return cisError('s002')
  const oibs = oibsIn(certificate)
  if (oibs.length === 0) return cisError('s003')
  return oibs.every((one) => one === oib) ? null : cisError('s005')
}

function chains(leaf: X509Certificate, pki: Pki, now: number): boolean {
  const [root, issuing] = pki.bundleDer.map((der) => new X509Certificate(der))
  if (root === undefined || issuing === undefined) return false
  const inTime = [leaf, issuing, root].every((c) => Date.parse(c.validFrom) <= now && now <= Date.parse(c.validTo))
  return inTime && !leaf.ca && leaf.checkIssued(issuing) && leaf.verify(issuing.publicKey)
}

/** The OIBs in both places of the subject: at the end of `O`, and in `organizationIdentifier` (docs/spec/cis.md). */
function oibsIn(certificate: X509Certificate): string[] {
  const parts = certificate.subject.split('\n')
  const valuesOf = (name: string) =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1))
  const found = [
    ...valuesOf('O').map((text) => /(?:^|\s)HR(\d{11})$/.exec(text)?.[1]),
    ...valuesOf('organizationIdentifier').map((text) => /^(?:HR|VATHR-)(\d{11})$/.exec(text)?.[1]),
  ]
  return found.filter((oib) => oib !== undefined)
}

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'

type SignatureVerdict = { certificate: X509Certificate } | { error: CisError }

class Refusal extends Error {}

/**
 * Checks the enveloped signature of a request (CIS specification, ch. 7): exactly one, over the whole root element by
 * its Id, with the four allowed algorithms. Removes the signature from the document, as the enveloped-signature
 * transform requires.
 * @returns the signer's certificate, which is not yet trusted, or `s004`
 */
function judgeSignature(request: XmlElement): SignatureVerdict {
  try {
    return { certificate: verify(request) }
  } catch (error) {
    if (error instanceof Refusal) return { error: cisError('s004', error.message) }
    throw error
  }
}

function verify(request: XmlElement): X509Certificate {
  const signature = onlySignature(request)
  const signedInfo = need(signature, 'SignedInfo')
  const reference = onlyReference(signedInfo)
  expectAlgorithm(need(signedInfo, 'CanonicalizationMethod'), EXCLUSIVE_C14N)
  expectAlgorithm(need(signedInfo, 'SignatureMethod'), RSA_SHA256)
  expectTransforms(reference)
  expectAlgorithm(need(reference, 'DigestMethod'), SHA256)

  const id = request.attr('Id')?.value ?? ''
  if (id === '' || reference.attr('URI')?.value !== `#${id}`) refuse('Reference/@URI')

  const certificate = certificateIn(signature)
  const signedBytes = canonicalize(signedInfo, EXCLUSIVE_C14N)
  const value = Buffer.from(need(signature, 'SignatureValue').content, 'base64')
  if (!createVerify('RSA-SHA256').update(signedBytes).verify(certificate.publicKey, value)) refuse('SignatureValue')

  const expected = need(reference, 'DigestValue').content.trim()
  signature.remove()
  const digest = createHash('sha256').update(canonicalize(request, EXCLUSIVE_C14N)).digest('base64')
  if (digest !== expected) refuse('DigestValue')
  return certificate
}

function onlySignature(request: XmlElement): XmlElement {
  const all = request.find('//ds:Signature', { ds: DSIG_NS })
  const direct = childElements(request).filter((child) => isNamed(child, DSIG_NS, 'Signature'))
  const [signature] = direct
  if (signature === undefined || direct.length !== 1 || all.length !== 1) return refuse('Signature')
  return signature
}

function onlyReference(signedInfo: XmlElement): XmlElement {
  const references = childElements(signedInfo).filter((child) => isNamed(child, DSIG_NS, 'Reference'))
  const [reference] = references
  if (reference === undefined || references.length !== 1) return refuse('Reference')
  return reference
}

function expectTransforms(reference: XmlElement): void {
  const transforms = childElements(need(reference, 'Transforms'))
  const algorithms = transforms.map((transform) => transform.attr('Algorithm')?.value)
  if (algorithms.join(' ') !== `${ENVELOPED} ${EXCLUSIVE_C14N}`) refuse('Transforms')
  // A transform with children, such as InclusiveNamespaces, would digest different bytes.
  if (transforms.some((transform) => childElements(transform).length > 0)) refuse('Transforms')
}

function expectAlgorithm(element: XmlElement, algorithm: string): void {
  if (element.attr('Algorithm')?.value !== algorithm || childElements(element).length > 0) refuse(element.name)
}

function certificateIn(signature: XmlElement): X509Certificate {
  const data = need(need(signature, 'KeyInfo'), 'X509Data')
  const certificate = parseCertificate(need(data, 'X509Certificate').content)
  const issuerSerial = need(data, 'X509IssuerSerial')
  const serial = need(issuerSerial, 'X509SerialNumber').content.trim()
  if (serial !== BigInt(`0x${certificate.serialNumber}`).toString()) refuse('X509SerialNumber')
  if (need(issuerSerial, 'X509IssuerName').content.trim() === '') refuse('X509IssuerName')
  if (certificate.publicKey.asymmetricKeyType !== 'rsa') refuse('X509Certificate')
  return certificate
}

function parseCertificate(base64: string): X509Certificate {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'))
  } catch {
    return refuse('X509Certificate')
  }
}

const need = (parent: XmlElement, name: string): XmlElement => childNamed(parent, DSIG_NS, name) ?? refuse(name)

function refuse(what: string): never {
  throw new Refusal(what)
}
