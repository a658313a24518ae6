import { verify, type X509Certificate } from 'node:crypto'
import type { EpochMs, Present } from '../../domain/instant.ts'
import { ANSWER_SIGNATURES } from '../../domain/sale/answer-signature.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Reply } from '../transport/transport.ts'
import type { SignedAnswer } from './signed-answer.ts'
import type { createSigners } from './trusted-signers.ts'
import { XmlRefusal } from './xml-reader.ts'

/** Whether answers that are signed with SHA-1 are trusted (`FISKD_CIS_SHA1_ANSWERS`). */
export type Sha1Answers = 'accept' | 'refuse'

export interface Judges {
  signers: ReturnType<typeof createSigners>
  sha1Answers: Sha1Answers
  present: (mode: Mode) => Present
}

/** @returns the signer's certificate. @throws XmlRefusal naming what is not met of docs/spec/cis.md, XML signature */
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

/** A clock that is relied on is known better than this. */
const UNSURE_MS = 3_600_000

/** When our clock may be wrong, the Date of the service counts too, so that no signer is refused wrongly. */
function momentsOf({ now, latest }: Present, { date }: Pick<Reply & { arrived: true }, 'date'>): EpochMs[] {
  return Math.abs(latest - now) > UNSURE_MS && date !== null ? [now, date] : [now]
}
