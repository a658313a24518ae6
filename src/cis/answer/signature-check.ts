import { X509Certificate } from 'node:crypto'
import type { EpochMs } from '../../domain/instant.ts'
import type { AnswerSignature } from '../../domain/sale/answer-signature.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { envelope, soapHeaders } from '../message/soap.ts'
import { NotReached } from '../transport/not-reached.ts'
import type { Reply, Transport } from '../transport/transport.ts'
import { commonNameIn } from '../trust/ca-files.ts'
import { signedAt } from './reply.ts'
import { ANY_SIGNED_ANSWER, readSigned, type SignedAnswer } from './signed-answer.ts'
import { type Judges, verifySignature } from './verify-answer.ts'
import { type RefusalCause, XmlRefusal } from './xml-refusal.ts'

export interface SignatureFacts {
  /** For people. */
  detail: string
  /** How the answer was signed; null when it has no signature. */
  signature: AnswerSignature | null
  /** As `VerifiedReply.signedAt`. */
  signedAt: EpochMs | null
  reply: Reply
}

/**
 * Sends an empty envelope, which the service reportedly answers with a signed `s006`, to learn how the service signs
 * before a sale depends on it. No certificate is needed and nothing is recorded. A response without a signature says
 * nothing about the answers to sales.
 * @throws NotReached when the answer is signed and would not be trusted
 */
export async function checkSignature(
  mode: Mode,
  { transport, judges }: { transport: Transport; judges: Judges },
): Promise<SignatureFacts> {
  const reply = await transport.post(mode, soapHeaders('racuni'), envelope(Buffer.alloc(0)))
  const unknown = (why: string): SignatureFacts => ({
    detail: `${why}: how its answers are signed shows with the first sale`,
    signature: null,
    signedAt: null,
    reply,
  })
  if (!reply.arrived) return unknown(`the service does not answer an empty message (${reply.reason})`)
  let signed: SignedAnswer | undefined
  try {
    signed = readSigned(reply.body, ANY_SIGNED_ANSWER)
    if (!signed) return unknown(`the service does not sign its answer to an empty message (HTTP ${reply.status})`)
    const signer = await verifySignature(signed, { mode, reply }, judges)
    const { algorithm, canonicalization, content } = signed
    const form = `${algorithm}${algorithm === 'rsa-sha1' ? ' (SHA-1, accepted)' : ''}, ${canonicalization} canonical form`
    const until = new Date(signer.validTo).toISOString().slice(0, 10)
    return {
      detail: `answers are signed by ${nameOf(signer)}, valid until ${until}; ${form}`,
      signature: algorithm,
      signedAt: signedAt(content),
      reply,
    }
  } catch (error) {
    const { message, about } = error instanceof XmlRefusal ? error : new XmlRefusal('its answer cannot be checked')
    const [first] = signed?.certificates ?? []
    const who = about === 'signer' && first ? ` (it brings the certificate of ${describe(first)})` : ''
    throw new NotReached(`an answer of the service would not be believed: ${message}${who}`, fixOf(about, mode))
  }
}

const nameOf = ({ subject, issuer }: X509Certificate) => `${commonNameIn(subject)}, issued by ${commonNameIn(issuer)}`

function describe(der: Buffer): string {
  try {
    return nameOf(new X509Certificate(der))
  } catch {
    return 'nobody, for it cannot be read'
  }
}

function fixOf(about: RefusalCause, mode: Mode): string {
  switch (about) {
    case 'sha1':
      return 'set FISKD_CIS_SHA1_ANSWERS=accept in /etc/fiskd/fiskd.env and restart fiskd'
    case 'algorithm':
      return 'install the newest fiskd: the service signs in a way that this version does not know'
    case 'signer':
      return `fisk trust fetch --mode ${mode}, or without a network: fisk trust add --mode ${mode} FILE; check the date of this machine, too`
    case 'form':
      return 'install the newest fiskd; if this is it, send its makers a support bundle: sudo fisk support-bundle'
  }
}
