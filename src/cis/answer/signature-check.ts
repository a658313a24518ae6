import { X509Certificate } from 'node:crypto'
import { attempt } from '../../domain/attempt.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { AnswerSignature } from '../../domain/sale/answer-signature.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { alike, type Both, together } from '../../domain/texts/both.ts'
import { bringTrust } from '../../domain/texts/trust-texts.ts'
import { envelope, SOAP_HEADERS } from '../message/soap.ts'
import { NotReached } from '../transport/not-reached.ts'
import type { Reply, Transport } from '../transport/transport.ts'
import { commonNameIn } from '../trust/ca-files.ts'
import { signedAt } from './reply.ts'
import { ANY_SIGNED_ANSWER, readSigned, type SignedAnswer } from './signed-answer.ts'
import { partOfSubject } from './trusted-signers.ts'
import { type Judges, verifySignature } from './verify-answer.ts'
import { type RefusalCause, XmlRefusal } from './xml-reader.ts'

export interface SignatureFacts {
  detail: Both
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
  { transport, judges, given }: { transport: Transport; judges: Judges; given: string | null },
): Promise<SignatureFacts> {
  const reply = await transport.post(mode, SOAP_HEADERS.racuni, envelope(Buffer.alloc(0)))
  const unknown = (why: Both): SignatureFacts => ({
    detail: {
      en: `${why.en}: how its answers are signed shows with the first sale`,
      hr: `${why.hr}: način potpisivanja odgovora pokazat će prva prodaja`,
    },
    signature: null,
    signedAt: null,
    reply,
  })
  if (!reply.arrived)
    return unknown({
      en: `the service does not answer an empty message (${reply.reason.en})`,
      hr: `usluga ne odgovara na praznu poruku (${reply.reason.hr})`,
    })
  let signed: SignedAnswer | undefined
  try {
    signed = readSigned(reply.body, ANY_SIGNED_ANSWER)
    if (!signed)
      return unknown({
        en: `the service does not sign its answer to an empty message (HTTP ${reply.status})`,
        hr: `usluga ne potpisuje odgovor na praznu poruku (HTTP ${reply.status})`,
      })
    const signer = await verifySignature(signed, { mode, reply }, judges)
    const { algorithm, canonicalization, content } = signed
    const isSha1 = algorithm === 'rsa-sha1'
    const form = {
      en: `${algorithm}${isSha1 ? ' (SHA-1, accepted)' : ''}, ${canonicalization} canonical form`,
      hr: `${algorithm}${isSha1 ? ' (SHA-1, prihvaćen)' : ''}, kanonski oblik ${canonicalization}`,
    }
    const by = nameOf(signer)
    const until = new Date(signer.validTo).toISOString().slice(0, 10)
    return {
      detail: {
        en: `answers are signed by ${by.en}, valid until ${until}; ${form.en}`,
        hr: `odgovore potpisuje ${by.hr}, vrijedi do ${until}; ${form.hr}`,
      },
      signature: algorithm,
      signedAt: signedAt(content),
      reply,
    }
  } catch (error) {
    const isRefusal = error instanceof XmlRefusal
    const why = isRefusal
      ? alike(error.message)
      : { en: 'its answer cannot be checked', hr: 'odgovor se ne može provjeriti' }
    const about = isRefusal ? error.about : 'form'
    const [first] = signed?.certificates ?? []
    const by = about.startsWith('signer') && first ? describe(first) : undefined
    const who = by
      ? { en: ` (it brings the certificate of ${by.en})`, hr: ` (uz odgovor je certifikat ${by.hr})` }
      : alike('')
    throw new NotReached(
      {
        en: `an answer of the service would not be believed: ${why.en}${who.en}`,
        hr: `odgovoru usluge ne bi se vjerovalo: ${why.hr}${who.hr}`,
      },
      fixOf(about, mode, given),
    )
  }
}

const nameOf = ({ subject, issuer }: X509Certificate) => ({
  en: `${commonNameIn(subject)}, issued by ${commonNameIn(issuer)}`,
  hr: `${commonNameIn(subject)}, izdavatelj ${commonNameIn(issuer)}`,
})

function describe(der: Buffer): Both {
  const certificate = attempt(() => new X509Certificate(der), null)
  if (certificate === null) return { en: 'nobody, for it cannot be read', hr: 'nečitljiv' }
  const identifier = partOfSubject(certificate, 'organizationIdentifier')
  return together`${nameOf(certificate)}${identifier ? `, organizationIdentifier ${identifier}` : ''}`
}

const CHECK_DATE = { en: 'check the date of this machine, too', hr: 'provjerite i datum ovog računala' }

function fixOf(about: RefusalCause, mode: Mode, given: string | null): Both {
  switch (about) {
    case 'sha1':
      return {
        en: 'set FISKD_CIS_SHA1_ANSWERS=accept in /etc/fiskd/fiskd.env and restart fiskd',
        hr: 'postavite FISKD_CIS_SHA1_ANSWERS=accept u /etc/fiskd/fiskd.env i ponovno pokrenite fiskd',
      }
    case 'algorithm':
    case 'signer_key':
      return {
        en: 'install the newest fiskd: the service signs in a way that this version does not know',
        hr: 'instalirajte najnoviji fiskd: usluga potpisuje na način koji ova inačica ne poznaje',
      }
    case 'signer_name':
    case 'signer_identifier':
      return {
        en: `find out whether the tax authority signs under a new name; if it does, set FISKD_CIS_SIGNERS=${mode}=ID:CN and restart fiskd`,
        hr: `provjerite potpisuje li Porezna uprava pod novim imenom; ako da, postavite FISKD_CIS_SIGNERS=${mode}=ID:CN i ponovno pokrenite fiskd`,
      }
    case 'signer':
      return together`${bringTrust(mode, 'service', given)}; ${CHECK_DATE}`
    case 'form':
      return {
        en: 'install the newest fiskd; if this is it, send its makers a support bundle: sudo fisk support-bundle',
        hr:
          'instalirajte najnoviji fiskd; ako je ovo najnoviji, autorima pošaljite paket za podršku: sudo ' +
          'fisk support-bundle',
      }
  }
}
