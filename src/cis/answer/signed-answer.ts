import { createHash, timingSafeEqual } from 'node:crypto'
import { XmlC14NMode, type XmlElement } from 'libxml2-wasm'
import { ANSWER_SIGNATURES, type AnswerSignature, answerSignatureOf } from '../../domain/sale/answer-signature.ts'
import { CIS_BOUNDS } from '../bounds.ts'
import { ALGORITHMS } from '../namespaces.ts'
import { textOf } from './answer-text.ts'
import {
  condition,
  elementsAt,
  holdsFault,
  holdsJust,
  holdsText,
  nameOf,
  nodesAt,
  one,
  type Rule,
  readXml,
  requiring,
  soapContent,
  textAt,
  XmlRefusal,
} from './xml-reader.ts'

const requireFew = requiring(
  [`count(//*) <= ${CIS_BOUNDS.elements.most}`, 'it has too many elements'],
  [`count(//@*) <= ${CIS_BOUNDS.attributes.most}`, 'it has too many attributes'],
  [`not(${'/*'.repeat(CIS_BOUNDS.depth.most + 1)})`, 'its elements are nested too deeply'],
)

/** Canonicalization looks up every namespace in scope for each element, which may take a minute. @throws XmlRefusal */
function refuseCostly({ doc }: XmlElement): void {
  requireFew(doc.root)
  const declarations = doc.toString({ format: false }).split('xmlns').length - 1
  if (declarations > CIS_BOUNDS.nameSpaces.most) throw new XmlRefusal('it declares too many name spaces')
}

/** The parts of a signed answer, not trusted yet. */
export interface SignedAnswer {
  /** The answer without its signature, canonical; `signedInfo` contains its digest. */
  content: string
  signedInfo: string
  signatureValue: Buffer
  algorithm: AnswerSignature
  canonicalization: Canonicalization
  /** DER, in document order. */
  certificates: Buffer[]
}

export type Canonicalization = 'inclusive' | 'exclusive'

const C14N = new Map<string, { name: Canonicalization; mode: (typeof XmlC14NMode)[keyof typeof XmlC14NMode] }>([
  [ALGORITHMS.inclusiveC14n, { name: 'inclusive', mode: XmlC14NMode.XML_C14N_1_0 }],
  [ALGORITHMS.exclusiveC14n, { name: 'exclusive', mode: XmlC14NMode.XML_C14N_EXCLUSIVE_1_0 }],
])

const requireOneSignature = requiring(
  ['count(//ds:Signature) = 1', 'there is not exactly one signature'],
  one('ds:Signature'),
  ['string(@Id) != ""', 'the answer has no Id'],
  holdsJust('ds:Signature', 'ds:SignedInfo', 'ds:SignatureValue', 'ds:KeyInfo'),
  holdsText('ds:Signature/ds:SignatureValue'),
  holdsText('ds:Signature/ds:KeyInfo/ds:X509Data/ds:X509Certificate'),
  one('ds:Signature/ds:SignedInfo/ds:CanonicalizationMethod'),
  takesNoParameters('ds:Signature/ds:SignedInfo/ds:CanonicalizationMethod'),
)

const TRANSFORMS = 'ds:Reference/ds:Transforms'

const requireAllowed = requiring(
  holdsJust('self::ds:SignedInfo', 'ds:CanonicalizationMethod', 'ds:SignatureMethod', 'ds:Reference'),
  takesNoParameters('ds:CanonicalizationMethod'),
  takesNoParameters('ds:SignatureMethod'),
  holdsJust('ds:Reference', 'ds:Transforms', 'ds:DigestMethod', 'ds:DigestValue'),
  holdsJust(TRANSFORMS, 'ds:Transform', 'ds:Transform'),
  takesNoParameters(`${TRANSFORMS}/ds:Transform`),
  names(`${TRANSFORMS}/ds:Transform[1]`, ALGORITHMS.envelopedSignature),
  takesNoParameters('ds:Reference/ds:DigestMethod'),
  holdsText('ds:Reference/ds:DigestValue'),
)

const idOf = textAt('@Id')
const idsIn = nodesAt('//@*[local-name()="Id" or local-name()="ID" or local-name()="id"]')
const signatureIn = elementsAt('ds:Signature')
const signedInfoIn = elementsAt('ds:Signature/ds:SignedInfo')
const canonicalizationOf = textAt('ds:Signature/ds:SignedInfo/ds:CanonicalizationMethod/@Algorithm')
const signatureValueOf = textAt('ds:Signature/ds:SignatureValue')
const certificatesIn = elementsAt('ds:Signature/ds:KeyInfo/ds:X509Data/ds:X509Certificate')
const ownCanonicalizationOf = textAt('ds:CanonicalizationMethod/@Algorithm')
const methodOf = textAt('ds:SignatureMethod/@Algorithm')
const digestMethodOf = textAt('ds:Reference/ds:DigestMethod/@Algorithm')
const uriOf = textAt('ds:Reference/@URI')
const transformOf = textAt(`${TRANSFORMS}/ds:Transform[2]/@Algorithm`)
const digestOf = textAt('ds:Reference/ds:DigestValue')

const startTag = (name: string) => new RegExp(`<(?:[^\\s<>/:]+:)?${name}[\\s/>]`)
/** Which element of a body is the answer. */
export interface AnswerKind {
  startTag: RegExp
  isIn(root: XmlElement): boolean
  is(element: XmlElement): boolean
}

/** Matches the element itself, not a page or a fault that mentions it. */
export function answerNamed(name: string): AnswerKind {
  const holds = condition(`//*[local-name()="${name}"]`)
  return {
    startTag: startTag(name),
    isIn: (root: XmlElement) => !holdsFault(root) && holds(root),
    is: condition(`self::tns:${name}`),
  }
}

export const ANSWER_TO_SALE = answerNamed('RacunOdgovor')

export const ANY_SIGNED_ANSWER: AnswerKind = {
  startTag: startTag('Signature'),
  isIn: condition('//ds:Signature'),
  is: () => true,
}

/**
 * Reads a signed answer and checks everything but the signature value (docs/spec/cis.md, XML signature). It was signed
 * inside the SOAP envelope, whose namespaces and `xml:` attributes inclusive canonicalization adds. libxml2 canonicalizes,
 * because xml-crypto sorts inherited prefixes by locale and drops inherited `xml:` attributes, and would refuse genuine
 * answers in some envelopes. Callers read the answer from `content`, which is exactly what was signed.
 * @returns undefined when the body is not such an answer: a SOAP fault, a page of a proxy, or empty
 * @throws XmlRefusal when the one signature is not the answer's own, does not refer to it alone, uses another
 *   algorithm, or its digest is wrong
 */
export function readSigned(body: Buffer, kind: AnswerKind): SignedAnswer | undefined {
  if (!kind.startTag.test(textOf(body))) return undefined
  return readXml(body, ({ root }) => {
    const answer = findAnswer(root, kind)
    if (!answer) return undefined
    checkForm(answer)
    const [found] = signedInfoIn(answer)
    if (!found) throw new XmlRefusal('there is no SignedInfo')
    const signedInfo = canonical(found, canonicalizationOf(answer))
    const claim = readXml(signedInfo, ({ root }) => readSignedInfo(root))
    if (claim.uri !== `#${idOf(answer)}`) throw new XmlRefusal('the signature refers to something else')
    const signatureValue = base64Of('SignatureValue', signatureValueOf(answer))
    const certificates = certificatesIn(answer).map(({ content }) => base64Of('X509Certificate', content))
    for (const signature of signatureIn(answer)) signature.remove()
    const content = canonical(answer, claim.transform)
    checkDigest(content, claim)
    const { algorithm, canonicalization } = claim
    return { content, signedInfo, signatureValue, algorithm, canonicalization, certificates }
  })
}

function findAnswer(root: XmlElement, kind: AnswerKind): XmlElement | undefined {
  if (!kind.isIn(root)) return undefined
  const content = soapContent(root)
  if (content && kind.is(content)) return content
  throw new XmlRefusal('the answer is not the only element in the body of the envelope')
}

function checkForm(answer: XmlElement): void {
  refuseCostly(answer)
  requireOneSignature(answer)
  const id = idOf(answer)
  // With two such elements it is unclear which one was signed (signature wrapping).
  if (idsIn(answer).filter(({ content }) => content === id).length !== 1)
    throw new XmlRefusal('two elements share one Id')
}

function readSignedInfo(signedInfo: XmlElement) {
  requireAllowed(signedInfo)
  return {
    algorithm: algorithmOf(methodOf(signedInfo), digestMethodOf(signedInfo)),
    canonicalization: c14n(ownCanonicalizationOf(signedInfo)).name,
    uri: uriOf(signedInfo),
    transform: transformOf(signedInfo),
    digest: base64Of('DigestValue', digestOf(signedInfo)),
  }
}

function checkDigest(content: string, claim: { algorithm: AnswerSignature; digest: Buffer }): void {
  const digest = createHash(ANSWER_SIGNATURES[claim.algorithm].hash).update(content, 'utf8').digest()
  if (digest.length !== claim.digest.length || !timingSafeEqual(digest, claim.digest)) {
    throw new XmlRefusal('the answer is not the one that was signed')
  }
}

/** Signature and digest must match: a mixed pair is only as strong as the weaker one. */
function algorithmOf(method: string, digestMethod: string): AnswerSignature {
  const algorithm = answerSignatureOf(method)
  if (!algorithm) throw new XmlRefusal('SignatureMethod names an algorithm that is not allowed', 'algorithm')
  if (ANSWER_SIGNATURES[algorithm].digest === digestMethod) return algorithm
  throw new XmlRefusal(`DigestMethod names an algorithm that is not allowed beside ${algorithm}`, 'algorithm')
}

function takesNoParameters(path: string): Rule {
  return [`not(${path}/*)`, `${nameOf(path)} has parameters`]
}

function names(path: string, algorithm: string): Rule {
  return [`${path}/@Algorithm = "${algorithm}"`, `${nameOf(path)} names an algorithm that is not allowed`]
}

/** Like its own `canonicalizeToString`, which makes two objects for each node of the document. */
function canonical(element: XmlElement, algorithm: string): string {
  return element.doc.canonicalizeToString({ mode: c14n(algorithm).mode, nodeSet: new Set([element]) })
}

function c14n(algorithm: string) {
  const found = C14N.get(algorithm)
  if (!found) throw new XmlRefusal('the canonicalization is not an allowed one', 'algorithm')
  return found
}

function base64Of(name: string, content: string): Buffer {
  const text = content.replace(/\s+/g, '')
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) {
    throw new XmlRefusal(`${name} is not base64`)
  }
  return Buffer.from(text, 'base64')
}
