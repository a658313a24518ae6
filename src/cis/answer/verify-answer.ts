import { createVerify, type X509Certificate } from 'node:crypto'
import type { EpochMs, Present } from '../../domain/instant.ts'
import { ANSWER_SIGNATURES } from '../../domain/sale/answer-signature.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Reply } from '../transport/transport.ts'
import type { SignedAnswer } from './signed-answer.ts'
import type { Signers } from './trusted-signers.ts'
import { XmlRefusal } from './xml-reader.ts'

/** Whether answers that are signed with SHA-1 are believed (`FISKD_CIS_SHA1_ANSWERS`). */
export type Sha1Answers = 'accept' | 'refuse'

/** Whose word counts. */
export interface Judges {
  signers: Signers
  sha1Answers: Sha1Answers
  /** What a mode goes by. */
  present: (mode: Mode) => Present
}

/**
 * Makes sure that an answer was signed by the signer of the mode, whoever else's certificate comes along.
 * @returns the signer's certificate
 * @throws XmlRefusal naming the condition of spec/cis.md (Signature) that fails
 */
export async function verifySignature(
  signed: SignedAnswer,
  { mode, reply }: { mode: Mode; reply: Pick<Reply & { arrived: true }, 'date'> },
  { signers, sha1Answers, present }: Judges,
): Promise<X509Certificate> {
  const { algorithm, certificates, signedInfo, signatureValue } = signed
  if (algorithm === 'rsa-sha1' && sha1Answers === 'refuse') {
    throw new XmlRefusal(`it is signed with ${algorithm}, which FISKD_CIS_SHA1_ANSWERS refuses`, 'sha1')
  }
  const signer = await signers.trusted(mode, certificates, momentsOf(present(mode), reply))
  const verifier = createVerify(`RSA-${ANSWER_SIGNATURES[algorithm].hash}`).update(signedInfo, 'utf8')
  if (!verifier.verify(signer.publicKey, signatureValue)) throw new XmlRefusal('the signature is wrong')
  return signer
}

/** A clock that may be wrong makes no signer invalid: the service may be right about the time. */
function momentsOf({ now, latest }: Present, { date }: Pick<Reply & { arrived: true }, 'date'>): EpochMs[] {
  return latest === Number.POSITIVE_INFINITY && date !== null ? [now, date] : [now]
}
