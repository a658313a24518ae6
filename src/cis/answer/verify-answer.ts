import { verify, type X509Certificate } from 'node:crypto'
import type { EpochMs, Present } from '../../domain/instant.ts'
import { ANSWER_SIGNATURES } from '../../domain/sale/answer-signature.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Reply } from '../transport/transport.ts'
import type { SignedAnswer } from './signed-answer.ts'
import type { Signers } from './trusted-signers.ts'
import { XmlRefusal } from './xml-refusal.ts'

/** Whether answers that are signed with SHA-1 are trusted (`FISKD_CIS_SHA1_ANSWERS`). */
export type Sha1Answers = 'accept' | 'refuse'

/** The trusted signers and the current time. */
export interface Judges {
  signers: Signers
  sha1Answers: Sha1Answers
  /** The time that a mode uses. */
  present: (mode: Mode) => Present
}

/**
 * Checks that an answer was signed by the signer of the mode, whatever other certificates it contains.
 * @returns the signer's certificate
 * @throws XmlRefusal naming the condition of docs/spec/cis.md (XML signature) that fails
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
  const isRight = verify(
    ANSWER_SIGNATURES[algorithm].hash,
    Buffer.from(signedInfo, 'utf8'),
    signer.publicKey,
    signatureValue,
  )
  if (!isRight) throw new XmlRefusal('the signature is wrong')
  return signer
}

/** When our clock may be wrong, the Date of the service counts too, so that no signer is refused wrongly. */
function momentsOf({ now, latest }: Present, { date }: Pick<Reply & { arrived: true }, 'date'>): EpochMs[] {
  return latest === Number.POSITIVE_INFINITY && date !== null ? [now, date] : [now]
}
