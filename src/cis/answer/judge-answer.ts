import type { XmlElement } from 'libxml2-wasm'
import type { RegularHours, RegularSpan, Span, WorkingHours } from '../../domain/hours/hours.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { AnswerSignature } from '../../domain/sale/answer-signature.ts'
import type {
  AuthorityAnswer,
  AuthorityMessage,
  FiscalMessage,
  Outcome,
  UpstreamError,
} from '../../fiscal/ports/tax-authority.ts'
import { AUTHORITY_OPERATIONS, rootOf } from '../message/request-message.ts'
import type { Reply } from '../transport/transport.ts'
import { claimsOf } from './answer-claims.ts'
import { outcomeOf, unavailable, unbelievable } from './outcome.ts'
import { errorsOf, isSystemError, messageIdOf, readReply, requireHeader, signedAtOf } from './reply.ts'
import { ANSWER_TO_SALE, answerNamed, readSigned } from './signed-answer.ts'
import { type Judges, verifySignature } from './verify-answer.ts'
import { elementsAt, MalformedXml, readXml, textAt, XmlRefusal } from './xml-reader.ts'

export interface Judgement {
  outcome: Outcome
  /** How the answer is signed; null when it is not trusted. */
  signature: AnswerSignature | null
  /** As `VerifiedReply.signedAt`, for a trusted answer. */
  signedAt: EpochMs | null
}

/**
 * The body is read before the status: rejections come with HTTP 500 (docs/spec/cis.md, Messages). An untrusted answer
 * without a JIR says nothing about the sale, which is sent again; an untrusted JIR is never stored, and people decide.
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

const ANSWERS = new Map(AUTHORITY_OPERATIONS.map((one) => [one, answerNamed(`${rootOf(one)}Odgovor`)] as const))

export interface JudgedRequest {
  answer: AuthorityAnswer
  /** As `VerifiedReply.signedAt`, for a trusted answer. */
  signedAt: EpochMs | null
}

/** Under the same conditions as the answer to a sale (docs/spec/cis.md, XML signature): all else says nothing. */
export async function judgeRequest(reply: Reply, sent: AuthorityMessage, judges: Judges): Promise<JudgedRequest> {
  if (!reply.arrived) return unknown(`The tax authority did not answer: ${reply.reason.en}.`)
  try {
    const kind = ANSWERS.get(sent.request.operation)
    const signed = kind && readSigned(reply.body, kind)
    if (!signed) throw new XmlRefusal(`HTTP ${reply.status} came back with something else`)
    await verifySignature(signed, { mode: sent.mode, reply }, judges)
    return readXml(signed.content, ({ root }) => {
      requireHeader(root)
      if (messageIdOf(root) !== sent.messageId) throw new XmlRefusal('it answers another message')
      return { answer: read(root, sent), signedAt: signedAtOf(root) }
    })
  } catch (error) {
    // An error of a parser or of OpenSSL may quote the document, so it is not shown.
    const reason = error instanceof XmlRefusal ? error.message : 'it cannot be checked'
    return unknown(`The answer cannot be believed: ${reason}.`, claimsOf(reply.body).errors)
  }
}

const unknown = (message: string, hearsay: UpstreamError[] = []): JudgedRequest => ({
  answer: { kind: 'unknown', message, hearsay },
  signedAt: null,
})

const DONE = /^p\d{3}$/
const codeOf = textAt('tns:PorukaOdgovora/tns:SifraPoruke')
const wordsOf = textAt('tns:PorukaOdgovora/tns:Poruka')
const hoursIn = elementsAt('tns:PoslovniProstor/tns:RadnoVrijeme')
const oibOf = textAt('tns:PoslovniProstor/tns:Oib')
const premisesOf = textAt('tns:PoslovniProstor/tns:OznPosPr')

function read(root: XmlElement, { request }: AuthorityMessage): AuthorityAnswer {
  const [first, ...others] = errorsOf(root)
  if (first) return refusalOf([first, ...others])
  if (request.operation !== 'dohvatiRadnoVrijeme') {
    const code = codeOf(root).trim()
    if (!DONE.test(code)) throw new XmlRefusal('it holds neither the code of what was done nor an error')
    return { kind: 'done', code, message: wordsOf(root).trim() }
  }
  const [hours, ...more] = hoursIn(root)
  if (!hours || more.length > 0) throw new XmlRefusal('it holds neither hours nor an error')
  if (oibOf(root).trim() !== request.companyOib || premisesOf(root).trim() !== request.premisesCode) {
    throw new XmlRefusal('it is about another premises')
  }
  return { kind: 'hours', hours: readWorkingHours(hours) }
}

function refusalOf(errors: [UpstreamError, ...UpstreamError[]]): AuthorityAnswer {
  if (!errors.every(isSystemError)) return { kind: 'refused', errors }
  return { kind: 'unknown', message: `${errors[0].code}: ${errors[0].message}`, hearsay: [] }
}

const regularIn = elementsAt('tns:Redovno')
const exceptionsIn = elementsAt('tns:Iznimke')
const text = {
  since: textAt('tns:DatumOd'),
  until: textAt('tns:DatumDo'),
  note: textAt('tns:Napomena'),
  date: textAt('tns:Datum'),
  day: textAt('tns:DanUTjednu'),
  part: textAt('tns:DioDvokratnog'),
  parity: textAt('tns:ParNepar'),
  from: textAt('tns:RadnoVrijemeOd'),
  to: textAt('tns:RadnoVrijemeDo'),
}
const singleIn = elementsAt('tns:Jednokratno')
const splitIn = elementsAt('tns:Dvokratno')
const oddEvenIn = elementsAt('tns:ParniNeparni')

function readWorkingHours(hours: XmlElement): WorkingHours {
  return {
    regular: regularIn(hours).map(readRegular),
    exceptions: exceptionsIn(hours).map((one) => ({
      date: isoDay(text.date(one)),
      spans: [...singleIn(one), ...inParts(splitIn(one))].map(spanOf),
    })),
  }
}

function readRegular(one: XmlElement): RegularHours {
  const [single, split, oddEven] = [singleIn(one), splitIn(one), oddEvenIn(one)]
  const kind = oddEven[0] ? 'odd_even' : split[0] ? 'split' : single[0] ? 'single' : 'by_arrangement'
  const [until, note] = [text.until(one).trim(), text.note(one).trim()]
  return {
    from: isoDay(text.since(one)),
    ...(until !== '' && { until: isoDay(until) }),
    ...(note !== '' && { note }),
    kind,
    spans: [...single, ...inParts(split), ...oddEven].map(regularSpanOf),
  }
}

const inParts = (parts: XmlElement[]) =>
  [...parts].sort((one, other) => Number(text.part(one)) - Number(text.part(other)))

const spanOf = (one: XmlElement): Span => ({ from: text.from(one).trim(), to: text.to(one).trim() })

function regularSpanOf(one: XmlElement): RegularSpan {
  const [part, parity] = [text.part(one).trim(), text.parity(one).trim()]
  return {
    day: Number(text.day(one)),
    ...(part !== '' && { part: part === '2' ? (2 as const) : (1 as const) }),
    ...(parity !== '' && { parity: parity === 'P' ? ('even' as const) : ('odd' as const) }),
    ...spanOf(one),
  }
}

/** @throws XmlRefusal for what is no day */
function isoDay(day: string): string {
  const [, date, month, year] = /^(\d\d)\.(\d\d)\.(\d{4})$/.exec(day.trim()) ?? []
  if (year === undefined) throw new XmlRefusal('a day in it cannot be read')
  return `${year}-${month}-${date}`
}
