import type { EpochMs } from '../../domain/instant.ts'
import type { AnswerSignature } from '../../domain/sale/answer-signature.ts'
import type { FiscalMessage, Outcome } from '../../fiscal/ports/tax-authority.ts'
import type { Reply } from '../transport/transport.ts'
import { claimsOf } from './answer-claims.ts'
import { outcomeOf, unavailable, unbelievable } from './outcome.ts'
import { readReply } from './reply.ts'
import { ANSWER_TO_SALE, readSigned } from './signed-answer.ts'
import { type Judges, verifySignature } from './verify-answer.ts'
import { MalformedXml, XmlRefusal } from './xml-refusal.ts'

/** The result of a message. */
export interface Judgement {
  outcome: Outcome
  /** How the answer is signed; null when it is not trusted. */
  signature: AnswerSignature | null
  /** As `VerifiedReply.signedAt`, for a trusted answer. */
  signedAt: EpochMs | null
}

/**
 * Determines the result of a message. The body is read before the status is checked: rejections come with HTTP 500
 * (docs/spec/cis.md, Messages). An untrusted answer without a JIR says nothing about the sale, so the sale is sent again;
 * an untrusted JIR is never stored as the JIR, and people have to decide about it.
 */
export async function judge(
  reply: Reply,
  sent: Pick<FiscalMessage, 'mode' | 'messageId'>,
  judges: Judges,
): Promise<Judgement> {
  if (!reply.arrived) return unproven(unavailable(`The tax authority did not answer: ${reply.reason.en}.`))
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
    // An error of a parser or of OpenSSL may quote the document, so it is not shown; the answer is not trusted.
    const reason = error instanceof XmlRefusal ? error.message : 'it cannot be checked'
    return unproven(unbelievable(reason, claimed))
  }
}

const unproven = (outcome: Outcome): Judgement => ({ outcome, signature: null, signedAt: null })

type Arrived = Reply & { arrived: true }

const NO_ANSWER = (status: number) => `The tax authority did not answer, but HTTP ${status} came back.`

/** A body of unknown length that cannot be parsed counts as truncated, whatever it begins with. */
const isCutOff = ({ framed }: Arrived) => !framed

/** The service answers with 200 or 500 only. */
const isOfService = ({ status }: Arrived) => status === 200 || status === 500

function noAnswer(reply: Arrived): Outcome {
  const claimed = claimsOf(reply.body)
  if (!claimed.jir && claimed.errors.length === 0) return unavailable(NO_ANSWER(reply.status))
  return unbelievable('it is no answer to a receipt', claimed)
}
