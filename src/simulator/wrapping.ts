import { type Answer, answerElement, newElementId, rootOf, signedAnswer } from './answer.ts'
import { FORGED_JIR, type Wrapping } from './misbehaviours.ts'
import { SIGNATURE_PLACE, sign } from './sign.ts'
import { envelope } from './soap.ts'
import type { KeyAndCertificate } from './x509.ts'

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
