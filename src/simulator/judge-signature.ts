import { createHash, createVerify, X509Certificate } from 'node:crypto'
import type { XmlElement } from 'libxml2-wasm'
import { type CisError, cisError } from './errors.ts'
import { canonicalize, childElements, childNamed, DSIG_NS, EXCLUSIVE_C14N, isNamed } from './xml.ts'

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'

class Refusal extends Error {}

/**
 * Checks the one enveloped signature of a request, over the root element by its Id, with the four allowed algorithms
 * (CIS specification, ch. 7), and removes it from the document, as its transform requires.
 * @returns the signer's certificate, which is not yet trusted, or `s004`
 */
export function judgeSignature(request: XmlElement): { certificate: X509Certificate } | { error: CisError } {
  try {
    return { certificate: verify(request) }
  } catch (error) {
    if (error instanceof Refusal) return { error: cisError('s004', error.message) }
    throw error
  }
}

function verify(request: XmlElement): X509Certificate {
  if (request.find('//ds:Signature', { ds: DSIG_NS }).length !== 1) refuse('Signature')
  const signature = only(request, 'Signature')
  const signedInfo = need(signature, 'SignedInfo')
  const reference = only(signedInfo, 'Reference')
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

function only(parent: XmlElement, name: string): XmlElement {
  const [one, ...others] = childElements(parent).filter((child) => isNamed(child, DSIG_NS, name))
  return one === undefined || others.length > 0 ? refuse(name) : one
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

function need(parent: XmlElement, name: string): XmlElement {
  return childNamed(parent, DSIG_NS, name) ?? refuse(name)
}

function refuse(what: string): never {
  throw new Refusal(what)
}
