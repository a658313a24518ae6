import { randomUUID } from 'node:crypto'
import { type Answer, answerElement, errorList, newElementId, rootOf, signedAnswer } from './answer.ts'
import { cisError } from './errors.ts'
import { FORGED_JIR, type Forgery, type Hearsay, type Wrapping } from './misbehaviours.ts'
import { SIGNATURE_PLACE, sign } from './sign.ts'
import type { BadSigner, Signers } from './signers.ts'
import { envelope } from './soap.ts'
import type { KeyAndCertificate } from './x509.ts'
import { F73_NS } from './xml.ts'

/** An answer that looks like `answer` and must not be trusted; `FORGERIES` lists the faults. */
export const forgedAnswer = async (kind: Forgery, answer: Answer, signers: Signers): Promise<string> =>
  FORGED[kind](answer, signers)

type Forge = (answer: Answer, signers: Signers) => string | Promise<string>

const badlySigned =
  (kind: BadSigner): Forge =>
  async (answer, signers) =>
    signedAnswer(answer, await signers.bad(kind))

const FORGED: Record<Forgery, Forge> = {
  'wrong-signer-ca': badlySigned('wrong-signer-ca'),
  'wrong-signer-cn': badlySigned('wrong-signer-cn'),
  'wrong-signer-id': badlySigned('wrong-signer-id'),
  'expired-signer': badlySigned('expired-signer'),
  unsigned: unsignedAnswer,
  tampered: tamperedAnswer,
  'wrapped-signature': (answer, { good }) => wrappedAnswer(answer, good, 'header'),
  'wrong-message-id': (answer, { good }) => signedAnswer({ ...answer, messageId: randomUUID() }, good),
  'bad-jir': (answer, { good }) => signedAnswer({ ...answer, jir: 'nije-jir', errors: [] }, good),
  'mixed-hashes': (answer, { good }) => signedAnswer(answer, good, { signature: 'sha256', digest: 'sha1' }),
  doctype: (answer, signers) => answerWithEntity(answer, signers, (jir) => `<!ENTITY jir "${jir}">`),
  'xml-bomb': (answer, signers) => answerWithEntity(answer, signers, bomb),
  'external-entity': (answer, signers) =>
    answerWithEntity(answer, signers, () => '<!ENTITY jir SYSTEM "file:///etc/hostname">'),
}

/** An answer without any trustworthy statement about the receipt. */
export function hearsay(kind: Hearsay, answer: Answer, signers: Signers): string {
  const refused = { ...answer, jir: null, errors: [cisError('s001')] }
  switch (kind) {
    case 'unsigned-error':
      return unsignedAnswer(refused)
    case 'odgovor':
      return envelope(`<tns:Odgovor xmlns:tns="${F73_NS}">${errorList([cisError('s006')])}</tns:Odgovor>`)
    case 'empty-message-id':
      return signedAnswer({ ...refused, messageId: '' }, signers.good)
    case 'foreign-error':
      return signedAnswer({ ...refused, messageId: randomUUID() }, signers.good)
  }
}

function unsignedAnswer(answer: Answer): string {
  return envelope(answerElement(answer, newElementId()))
}

function tamperedAnswer(answer: Answer, signers: Signers): string {
  const signed = signedAnswer(answer, signers.good)
  return answer.jir === null ? signed.replace('</tns:PorukaGreske>', '!$&') : signed.replace(answer.jir, FORGED_JIR)
}

/** The JIR is an entity. A parser that expands `doctype` gets exactly the signed text; a strict one refuses it before. */
function answerWithEntity(answer: Answer, signers: Signers, declare: (jir: string) => string): string {
  const jir = answer.jir ?? FORGED_JIR
  const signed = signedAnswer({ ...answer, jir, errors: [] }, signers.good)
  return signed.replace('?>', `?><!DOCTYPE soap:Envelope [${declare(jir)}]>`).replace(`>${jir}<`, '>&jir;<')
}

/** Each entity contains the previous one ten times. */
function bomb(): string {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'jir']
  const entities = names.map(
    (name, i) => `<!ENTITY ${name} "${i === 0 ? '0123456789' : `&${names[i - 1]};`.repeat(10)}">`,
  )
  return entities.join('')
}

/**
 * A signature-wrapping attack: the signature is genuine and verifies, but covers a different element than the one a
 * careless reader uses. Header and body declare no namespaces, so the moved element keeps its inclusive canonical form.
 */
export function wrappedAnswer(answer: Answer, signer: KeyAndCertificate, variant: Wrapping): string {
  const forged: Answer = { ...answer, jir: FORGED_JIR, errors: [] }
  if (variant === 'nested-element') return headerOnlySigned(forged, signer)

  const document = signedAnswer(answer, signer)
  const genuine = cut(document, `<tns:${rootOf(answer)}`, `</tns:${rootOf(answer)}>`)
  const signature = cut(document, '<Signature', '</Signature>')
  const bare = genuine.replace(signature, '')
  const genuineId = cut(genuine, 'Id="', '"').slice('Id="'.length, -1)
  const forgedId = newElementId()

  switch (variant) {
    case 'header':
      return envelope(answerElement(forged, forgedId), genuine)
    case 'sibling':
      return envelope(answerElement(forged, forgedId) + genuine)
    case 'nested':
      return envelope(answerElement(forged, forgedId, genuine))
    case 'moved-signature':
      return envelope(answerElement(forged, forgedId, signature), bare)
    case 'same-id':
      return envelope(answerElement(forged, genuineId, signature), bare)
  }
}

function headerOnlySigned(forged: Answer, signer: KeyAndCertificate): string {
  const id = newElementId()
  const element = answerElement(forged, newElementId(), SIGNATURE_PLACE)
  return sign(envelope(element.replace('<tns:Zaglavlje>', `<tns:Zaglavlje Id="${id}">`)), id, signer)
}

/** The text from the first `start` to the first `end` after it, both included. */
function cut(text: string, start: string, end: string): string {
  const from = text.indexOf(start)
  return text.slice(from, text.indexOf(end, from + start.length) + end.length)
}
