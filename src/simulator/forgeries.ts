import { randomUUID } from 'node:crypto'
import { type Answer, answerElement, newElementId, signedAnswer } from './answer.ts'
import { cisError } from './errors.ts'
import { FORGED_JIR, type Forgery } from './misbehaviours.ts'
import type { Signers } from './signers.ts'
import { envelope } from './soap.ts'
import { wrappedAnswer } from './wrapping.ts'

/** An answer that looks like `answer` and must not be believed; what is wrong with it: `FORGERIES`. */
export async function forgedAnswer(kind: Forgery, answer: Answer, signers: Signers): Promise<string> {
  switch (kind) {
    case 'wrong-signer-ca':
    case 'wrong-signer-cn':
    case 'expired-signer':
      return signedAnswer(answer, await signers.bad(kind))
    case 'unsigned':
      return unsignedAnswer(answer)
    case 'unsigned-error':
      return unsignedAnswer({ ...answer, jir: null, errors: [cisError('s001')] })
    case 'tampered':
      return tamperedAnswer(answer, signers)
    case 'wrapped-signature':
      return wrappedAnswer(answer, signers.good, 'header')
    case 'wrong-message-id':
      return signedAnswer({ ...answer, messageId: randomUUID() }, signers.good)
    case 'bad-jir':
      return signedAnswer({ ...answer, jir: 'nije-jir', errors: [] }, signers.good)
    case 'sha1':
      return signedAnswer(answer, signers.good, 'sha1')
    case 'doctype':
      return answerWithEntity(answer, signers)
  }
}

function unsignedAnswer(answer: Answer): string {
  return envelope(answerElement(answer, newElementId()))
}

function tamperedAnswer(answer: Answer, signers: Signers): string {
  const signed = signedAnswer(answer, signers.good)
  return answer.jir === null ? signed.replace('</tns:PorukaGreske>', '!$&') : signed.replace(answer.jir, FORGED_JIR)
}

/** A parser that expands entities sees exactly what was signed; a strict one must stop at the DOCTYPE. */
function answerWithEntity(answer: Answer, signers: Signers): string {
  const jir = answer.jir ?? FORGED_JIR
  const signed = signedAnswer({ ...answer, jir, errors: [] }, signers.good)
  return signed
    .replace('?>', `?><!DOCTYPE soap:Envelope [<!ENTITY jir "${jir}">]>`)
    .replace(`<tns:Jir>${jir}<`, '<tns:Jir>&jir;<')
}
