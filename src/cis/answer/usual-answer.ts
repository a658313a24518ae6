import { hash } from 'node:crypto'
import { ANSWER_SIGNATURES, type AnswerSignature } from '../../domain/sale/answer-signature.ts'
import { ALGORITHMS } from '../algorithms.ts'
import { FISCAL_NAMESPACE, SIGNATURE_NAMESPACE } from '../namespaces.ts'
import type { VerifiedReply } from './reply.ts'
import type { SignedAnswer } from './signed-answer.ts'
import { DECLARED, declarations, inUsualEnvelope, quoted } from './usual-envelope.ts'
import { momentOf } from './wall-clock.ts'

/** What `readSigned` and `readReply` find in the same bytes. */
export interface UsualAnswer {
  signed: SignedAnswer
  said: VerifiedReply
  /** The body. It is ASCII alone, so it is the text that every decoding of it makes. */
  text: string
}

/** All that is in scope at the answer, in the order of canonical XML: by prefix (C14N 1.0, 2.3). */
const IN_SCOPE = declarations({
  regexp: DECLARED.regexp,
  soap: DECLARED.soap,
  tns: FISCAL_NAMESPACE,
  xsd: DECLARED.xsd,
  xsi: DECLARED.xsi,
})
const SCHEMA = ` xsi:schemaLocation="${FISCAL_NAMESPACE} ../schema/FiskalizacijaSchema.xsd "`

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const BASE64 = '(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?'
/** White space that is canonical as it stands: no carriage return. */
const SPACE = '[ \\n]*'
/** Printable characters that stand for themselves in XML, and cannot end what they stand in. */
const TEXT = "[ !#-%'-;=?-~]*"

/** An empty element with its one attribute; canonical XML writes an end tag. */
const method = (name: string, algorithm: string) => `<${name} Algorithm="${algorithm}"/>`
const algorithmsOf = (names: 'signature' | 'digest') =>
  Object.values(ANSWER_SIGNATURES)
    .map((one) => quoted(one[names]))
    .join('|')

const CONTENT =
  `<tns:Zaglavlje><tns:IdPoruke>(?<messageId>${UUID})</tns:IdPoruke>` +
  '<tns:DatumVrijeme>(?<date>\\d{2}\\.\\d{2}\\.\\d{4}T\\d{2}:\\d{2}:\\d{2})</tns:DatumVrijeme></tns:Zaglavlje>' +
  `<tns:Jir>(?<jir>${UUID})</tns:Jir>`

const SIGNED_INFO = [
  quoted(method('CanonicalizationMethod', ALGORITHMS.inclusiveC14n)),
  `<SignatureMethod Algorithm="(?<signature>${algorithmsOf('signature')})"/>`,
  '<Reference URI="#\\k<id>">',
  '<Transforms>',
  quoted(method('Transform', ALGORITHMS.envelopedSignature)),
  quoted(method('Transform', ALGORITHMS.inclusiveC14n)),
  '</Transforms>',
  `<DigestMethod Algorithm="(?<digestMethod>${algorithmsOf('digest')})"/>`,
  `<DigestValue>(?<digest>${BASE64})</DigestValue>`,
  '</Reference>',
].join(SPACE)

/** The whole body, from its first to its last byte. All of it is ASCII, without references, comments and literals. */
const USUAL = inUsualEnvelope(
  `<tns:RacunOdgovor Id="(?<id>[A-Za-z][\\w.-]*)"(?<schema>(?:${quoted(SCHEMA)})?) xmlns:tns="${quoted(FISCAL_NAMESPACE)}">` +
    `(?<content>${CONTENT})` +
    `<Signature xmlns="${quoted(SIGNATURE_NAMESPACE)}"><SignedInfo>(?<signedInfo>${SPACE}${SIGNED_INFO}${SPACE})</SignedInfo>` +
    `<SignatureValue>(?<value>${BASE64})</SignatureValue><KeyInfo><X509Data>` +
    `<X509Certificate>(?<certificate>${BASE64})</X509Certificate>` +
    `(?:<X509IssuerSerial><X509IssuerName>${TEXT}</X509IssuerName><X509SerialNumber>\\d+</X509SerialNumber></X509IssuerSerial>)?` +
    '</X509Data></KeyInfo></Signature></tns:RacunOdgovor>',
)

/**
 * Reads an answer with a JIR that is written exactly as the service writes it (`spec/samples`), in one pass and without
 * an XML parser: the answer to nearly every sale. It decides nothing that `readSigned` would decide otherwise. The canonical
 * form is put together from the parts of a text whose only freedom is in them, and has to have the digest that was signed.
 * @returns undefined for everything else, however little it differs, and whatever is wrong: `readSigned` reads it then
 */
export function readUsual(body: Buffer): UsualAnswer | undefined {
  const text = body.toString('latin1')
  const found = USUAL.exec(text)?.groups
  if (!found) return undefined
  const { id = '', schema = '', content = '', signedInfo = '', signature, digestMethod, digest = '' } = found
  const algorithm = algorithmWith(signature, digestMethod)
  if (!algorithm) return undefined
  const canonical = `<tns:RacunOdgovor${IN_SCOPE} Id="${id}"${schema}>${content}</tns:RacunOdgovor>`
  if (hash(ANSWER_SIGNATURES[algorithm].hash, canonical, 'base64') !== digest) return undefined
  const { messageId = '', date = '', jir = '', value = '', certificate = '' } = found
  return {
    signed: {
      content: canonical,
      signedInfo: `<SignedInfo xmlns="${SIGNATURE_NAMESPACE}"${IN_SCOPE}>${withEndTags(signedInfo)}</SignedInfo>`,
      signatureValue: Buffer.from(value, 'base64'),
      algorithm,
      canonicalization: 'inclusive',
      certificates: [Buffer.from(certificate, 'base64')],
    },
    said: { messageId, signedAt: momentOf(date), jir, errors: [] },
    text,
  }
}

/** Signature and digest must match. */
function algorithmWith(signature: string | undefined, digest: string | undefined): AnswerSignature | undefined {
  const names = Object.keys(ANSWER_SIGNATURES) as AnswerSignature[]
  return names.find(
    (name) => ANSWER_SIGNATURES[name].signature === signature && ANSWER_SIGNATURES[name].digest === digest,
  )
}

/** The empty elements of a SignedInfo, as canonical XML writes them. */
function withEndTags(signedInfo: string): string {
  return signedInfo.replace(/<(\w+) Algorithm="([^"]*)"\/>/g, '<$1 Algorithm="$2"></$1>')
}
