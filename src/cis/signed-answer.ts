import { createHash, timingSafeEqual } from 'node:crypto'
import { XmlC14NMode, type XmlDocument, type XmlElement } from 'libxml2-wasm'
import { ALGORITHMS, SIGNATURE_NAMESPACE } from './algorithms.ts'
import { refuseCostly } from './answer-limits.ts'
import { elementsOf, isNamed, onlyElement, readXml, textOf, XmlRefusal } from './xml-reader.ts'

/** What a signed answer consists of, taken out of its document; nothing of it is believed yet. */
export interface SignedAnswer {
  /** The answer without its signature, canonical; its digest is the one that `signedInfo` names. */
  content: string
  /** The canonical SignedInfo, which is what the signature value signs. */
  signedInfo: string
  signatureValue: Buffer
  /** DER, in document order. */
  certificates: Buffer[]
}

const C14N_MODES = new Map<string, (typeof XmlC14NMode)[keyof typeof XmlC14NMode]>([
  [ALGORITHMS.inclusiveC14n, XmlC14NMode.XML_C14N_1_0],
  [ALGORITHMS.exclusiveC14n, XmlC14NMode.XML_C14N_EXCLUSIVE_1_0],
])

/**
 * Takes a signed answer apart and checks everything but the signature value (spec/cis.md, XML signature). Inclusive
 * canonicalization carries the name spaces and `xml:` attributes of the SOAP envelope into the answer, unless the answer
 * was signed before it was put there; which of the two the service does is written nowhere, so both readings of the one
 * element are tried, in place first. libxml2 does it: xml-crypto sorts inherited prefixes by locale and drops inherited
 * `xml:` attributes, so it would refuse genuine answers in some envelopes. Whoever reads the
 * answer reads `content`: what was signed and nothing else.
 * @throws XmlRefusal when the one signature is not the answer's own, does not refer to it alone, uses another
 *   algorithm, or its digest is wrong. Changes the document.
 */
export function takeSignedAnswer(document: XmlDocument, answer: XmlElement): SignedAnswer {
  refuseCostly(document)
  onlySignature(document, answer)
  const id = uniqueId(document, answer)
  const alone = answer.toString({ format: false })
  const signed = takeApart(answer, id) ?? readXml(alone, ({ root }) => takeApart(root, id))
  if (!signed) throw new XmlRefusal('the answer is not the one that was signed')
  return signed
}

/** @returns undefined when the answer, as it stands in this document, does not have the digest that was signed. */
function takeApart(answer: XmlElement, id: string): SignedAnswer | undefined {
  const signature = onlyElement(answer, SIGNATURE_NAMESPACE, 'Signature')
  const [signedInfo, signatureValue, keyInfo] = childrenInOrder(signature, 'SignedInfo', 'SignatureValue', 'KeyInfo')
  const signed = canonicalSignedInfo(signedInfo)
  const claim = readXml(signed, (signedDocument) => readSignedInfo(signedDocument.root))
  if (claim.uri !== `#${id}`) throw new XmlRefusal('the signature refers to something else')

  const parts = { signatureValue: base64Of(signatureValue), certificates: certificatesOf(keyInfo) }
  signature.remove()
  const content = answer.canonicalizeToString({ mode: c14nMode(claim.transform) })
  const digest = createHash('sha256').update(content, 'utf8').digest()
  const isSigned = digest.length === claim.digest.length && timingSafeEqual(digest, claim.digest)
  return isSigned ? { content, signedInfo: signed, ...parts } : undefined
}

/** @throws XmlRefusal unless the one signature of the document is a child of the answer. */
function onlySignature(document: XmlDocument, answer: XmlElement): void {
  const everywhere = document.find('//ds:Signature', { ds: SIGNATURE_NAMESPACE })
  if (everywhere.length !== 1) throw new XmlRefusal('there is not exactly one signature')
  onlyElement(answer, SIGNATURE_NAMESPACE, 'Signature')
}

/** The `Id` of the answer; two elements with one id would leave open which of them was signed (signature wrapping). */
function uniqueId(document: XmlDocument, answer: XmlElement): string {
  const id = answer.attr('Id')?.value
  if (id === undefined || id === '') throw new XmlRefusal('the answer has no Id')
  const ids = document.find('//@*[local-name()="Id" or local-name()="ID" or local-name()="id"]')
  if (ids.filter((attribute) => attribute.content === id).length !== 1)
    throw new XmlRefusal('two elements share one Id')
  return id
}

function canonicalSignedInfo(signedInfo: XmlElement): string {
  const method = onlyElement(signedInfo, SIGNATURE_NAMESPACE, 'CanonicalizationMethod')
  return signedInfo.canonicalizeToString({ mode: c14nMode(algorithmOf(method)) })
}

function readSignedInfo(signedInfo: XmlElement): { uri: string; transform: string; digest: Buffer } {
  const [method, signatureMethod, reference] = childrenInOrder(
    signedInfo,
    'CanonicalizationMethod',
    'SignatureMethod',
    'Reference',
  )
  c14nMode(algorithmOf(method))
  demand(signatureMethod, ALGORITHMS.rsaSha256)
  const [transforms, digestMethod, digestValue] = childrenInOrder(
    reference,
    'Transforms',
    'DigestMethod',
    'DigestValue',
  )
  const [enveloped, c14n] = childrenInOrder(transforms, 'Transform', 'Transform')
  demand(enveloped, ALGORITHMS.envelopedSignature)
  demand(digestMethod, ALGORITHMS.sha256)
  return { uri: reference.attr('URI')?.value ?? '', transform: algorithmOf(c14n), digest: base64Of(digestValue) }
}

/** @throws XmlRefusal unless the elements below are exactly these, in this order. */
function childrenInOrder<N extends string[]>(element: XmlElement, ...names: N): { [I in keyof N]: XmlElement } {
  const children = elementsOf(element)
  const fits = children.length === names.length && names.every((name, i) => isDs(children[i], name))
  if (!fits) throw new XmlRefusal(`${element.name} is not built as it must be`)
  return children as { [I in keyof N]: XmlElement }
}

function isDs(element: XmlElement | undefined, name: string): boolean {
  return element !== undefined && isNamed(element, SIGNATURE_NAMESPACE, name)
}

function demand(method: XmlElement, algorithm: string): void {
  if (algorithmOf(method) !== algorithm) throw new XmlRefusal(`${method.name} names an algorithm that is not allowed`)
}

/** The algorithm of a method; one that takes parameters is none of ours. */
function algorithmOf(method: XmlElement): string {
  if (elementsOf(method).length > 0) throw new XmlRefusal(`${method.name} has parameters`)
  return method.attr('Algorithm')?.value ?? ''
}

function c14nMode(algorithm: string) {
  const mode = C14N_MODES.get(algorithm)
  if (mode === undefined) throw new XmlRefusal('the canonicalization is not an allowed one')
  return mode
}

function certificatesOf(keyInfo: XmlElement): Buffer[] {
  const found = keyInfo.find('ds:X509Data/ds:X509Certificate', { ds: SIGNATURE_NAMESPACE })
  return (found as XmlElement[]).map(base64Of)
}

function base64Of(element: XmlElement): Buffer {
  const text = textOf(element).replace(/\s+/g, '')
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) {
    throw new XmlRefusal(`${element.name} is not base64`)
  }
  return Buffer.from(text, 'base64')
}
