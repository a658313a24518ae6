import { createVerify } from 'node:crypto'
import type { XmlElement } from 'libxml2-wasm'
import type { Mode } from '../domain/sale.ts'
import { readReply, type VerifiedReply } from './reply.ts'
import { type SignedAnswer, takeSignedAnswer } from './signed-answer.ts'
import type { Signers } from './signers.ts'
import { condition } from './xml-path.ts'
import { XmlRefusal } from './xml-reader.ts'

const isAnswer = condition('self::tns:RacunOdgovor')

/**
 * The signed parts of the RacunOdgovor in a SOAP document.
 * @param content what the envelope holds, undefined when it does not hold just one element
 * @throws XmlRefusal when that is no RacunOdgovor, or its signature is not of the allowed form
 */
export function takeAnswer(content: XmlElement | undefined): SignedAnswer {
  if (!content || !isAnswer(content)) {
    throw new XmlRefusal('the answer is not the only element in the body of the envelope')
  }
  return takeSignedAnswer(content)
}

/**
 * What the tax authority says, believed only under every condition of spec/cis.md (XML signature): signed by the
 * signer of the mode, whoever else's certificate comes along, and said about the very message that was sent.
 * @throws XmlRefusal naming the condition that fails
 */
export async function verifyAnswer(
  signed: SignedAnswer,
  sent: { mode: Mode; messageId: string },
  signers: Signers,
): Promise<VerifiedReply> {
  const key = await signers.trustedKey(sent.mode, signed.certificates)
  const verifier = createVerify('RSA-SHA256').update(signed.signedInfo, 'utf8')
  if (!verifier.verify(key, signed.signatureValue)) throw new XmlRefusal('the signature is wrong')
  return readReply(signed.content, sent.messageId)
}
