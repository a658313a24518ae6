import { randomUUID } from 'node:crypto'
import { type Answer, answerElement, errorList, newElementId, signedAnswer } from './answer.ts'
import { cisError } from './errors.ts'
import { FORGED_JIR, type Forgery, type Hearsay } from './misbehaviours.ts'
import type { Signers } from './signers.ts'
import { envelope } from './soap.ts'
import { wrappedAnswer } from './wrapping.ts'
import { F73_NS } from './xml.ts'

/** An answer that looks like `answer` and must not be trusted; `FORGERIES` lists the faults. */
export async function forgedAnswer(kind: Forgery, answer: Answer, signers: Signers): Promise<string> {
  switch (kind) {
    case 'wrong-signer-ca':
    case 'wrong-signer-cn':
    case 'wrong-signer-id':
    case 'expired-signer':
      return signedAnswer(answer, await signers.bad(kind))
    case 'unsigned':
      return unsignedAnswer(answer)
    case 'tampered':
      return tamperedAnswer(answer, signers)
    case 'wrapped-signature':
      return wrappedAnswer(answer, signers.good, 'header')
    case 'wrong-message-id':
      return signedAnswer({ ...answer, messageId: randomUUID() }, signers.good)
    case 'bad-jir':
      return signedAnswer({ ...answer, jir: 'nije-jir', errors: [] }, signers.good)
    case 'mixed-hashes':
      return signedAnswer(answer, signers.good, { signature: 'sha256', digest: 'sha1' })
    case 'doctype':
      return answerWithEntity(answer, signers, (jir) => `<!ENTITY jir "${jir}">`)
    case 'xml-bomb':
      return answerWithEntity(answer, signers, bomb)
    case 'external-entity':
      return answerWithEntity(answer, signers, () => '<!ENTITY jir SYSTEM "file:///etc/hostname">')
  }
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
