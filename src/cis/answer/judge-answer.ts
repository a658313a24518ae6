import type { EpochMs } from '../../domain/instant.ts'
import type { AnswerSignature } from '../../domain/sale/answer-signature.ts'
import type { FiscalMessage, Outcome } from '../../fiscal/ports/tax-authority.ts'
import type { Reply } from '../transport/transport.ts'
import { claimsOf } from './answer-claims.ts'
import { outcomeOf, unavailable, unbelievable } from './outcome.ts'
import { readReply } from './reply.ts'
import { ANSWER_TO_SALE, readSigned } from './signed-answer.ts'
import { type Judges, verifySignature } from './verify-answer.ts'
import { MalformedXml, XmlRefusal } from './xml-reader.ts'

/** What became of a message. */
export interface Judgement {
  outcome: Outcome
  /** How the answer is signed; null when it is not believed. */
  signature: AnswerSignature | null
  /** As `VerifiedReply.signedAt`, of an answer that is believed. */
  signedAt: EpochMs | null
}

/**
 * What became of a message. The body is read before the status is judged: rejections come with HTTP 500
 * (spec/cis.md, Messages). What cannot be believed and brings no JIR says nothing about the sale, so it is sent again;
 * a JIR that cannot be believed is a matter for people, and never a JIR.
 */
export async function judge(
  reply: Reply,
  sent: Pick<FiscalMessage, 'mode' | 'messageId'>,
  judges: Judges,
): Promise<Judgement> {
  if (!reply.arrived) return unproven(unavailable(`The tax authority did not answer: ${reply.reason}.`))
  try {
    const signed = readSigned(reply.body, ANSWER_TO_SALE)
    if (signed === undefined) return unproven(noAnswer(reply))
    await verifySignature(signed, { mode: sent.mode, reply }, judges)
    const said = readReply(signed.content)
    if (said.messageId !== sent.messageId) throw new XmlRefusal('it answers another message')
    return { outcome: outcomeOf(said), signature: signed.algorithm, signedAt: said.signedAt }
  } catch (error) {
    const claimed = claimsOf(reply.body)
    if (error instanceof MalformedXml && (isCutOff(reply) || !(isOfService(reply) || claimed.jir))) {
      return unproven(unavailable(NO_ANSWER(reply.status)))
    }
    // What is thrown by a parser or by OpenSSL may quote the document; whatever it was, nothing here is believed.
    const reason = error instanceof XmlRefusal ? error.message : 'it cannot be checked'
    return unproven(unbelievable(reason, claimed))
  }
}

const unproven = (outcome: Outcome): Judgement => ({ outcome, signature: null, signedAt: null })

type Arrived = Reply & { arrived: true }

const NO_ANSWER = (status: number) => `The tax authority did not answer, but HTTP ${status} came back.`

/** Where nothing announced the end of a body, what cannot be parsed did not arrive whole, whatever it begins with. */
const isCutOff = ({ framed }: Arrived) => !framed

/** The service answers with 200 or 500 only. */
const isOfService = ({ status }: Arrived) => status === 200 || status === 500

function noAnswer(reply: Arrived): Outcome {
  const claimed = claimsOf(reply.body)
  if (!claimed.jir && claimed.errors.length === 0) return unavailable(NO_ANSWER(reply.status))
  return unbelievable('it is no answer to a receipt', claimed)
}
