import { randomUUID } from 'node:crypto'
import type { CisError } from './errors.ts'
import { SIGNATURE_PLACE, type SignatureHash, type SignatureHashes, sign } from './sign.ts'
import { envelope } from './soap.ts'
import type { KeyAndCertificate } from './x509.ts'
import { escapeXml, F73_NS } from './xml.ts'
import { messageTime } from './zagreb.ts'

/** How an answer that is no `RacunOdgovor` is written. */
export interface OtherAnswer {
  root: string
  /** @param word what stands in the place of a JIR: the text or name that a forgery changes */
  done(word: string): string
  /** What stands before errors. */
  before: string
}

/** The content of a `RacunOdgovor`: a JIR, or errors. */
export interface Answer {
  other?: OtherAnswer
  /** IdPoruke of the request. */
  messageId: string
  /** Moment of processing, epoch milliseconds. */
  processedAt: number
  jir: string | null
  errors: CisError[]
}

/** An `Id` for an element to be signed, in the style of the service: a memory address and a counter. */
export function newElementId(): string {
  const [, address = '', counter = ''] = /^(.{8}).*(.{2})$/.exec(randomUUID()) ?? []
  return `G0x7f${address}00-${counter.toUpperCase()}`
}

const SCHEMA = `${F73_NS} ../schema/FiskalizacijaSchema.xsd `

/** @param tail the placeholder of the signature, a signature, or nothing */
export function answerElement(answer: Answer, id: string, tail = ''): string {
  const header = `<tns:IdPoruke>${escapeXml(answer.messageId)}</tns:IdPoruke><tns:DatumVrijeme>${messageTime(answer.processedAt)}</tns:DatumVrijeme>`
  const root = rootOf(answer)
  return `<tns:${root} Id="${id}" xsi:schemaLocation="${SCHEMA}" xmlns:tns="${F73_NS}"><tns:Zaglavlje>${header}</tns:Zaglavlje>${outcome(answer)}${tail}</tns:${root}>`
}

export const rootOf = ({ other }: Answer): string => other?.root ?? 'RacunOdgovor'

function outcome({ jir, errors, other }: Answer): string {
  if (jir !== null && other) return other.done(jir)
  if (jir !== null) return `<tns:Jir>${escapeXml(jir)}</tns:Jir>`
  return `${other?.before ?? ''}${errorList(errors)}`
}

export function errorList(errors: readonly CisError[]): string {
  const lines = errors.map(
    ({ code, message }) =>
      `<tns:Greska><tns:SifraGreske>${escapeXml(code)}</tns:SifraGreske><tns:PorukaGreske>${escapeXml(message)}</tns:PorukaGreske></tns:Greska>`,
  )
  return `<tns:Greske>${lines.join('')}</tns:Greske>`
}

/** The signed answer in its envelope. @param change applied to the element before signing */
export function signedAnswer(
  answer: Answer,
  signer: KeyAndCertificate,
  hashes: SignatureHash | SignatureHashes = 'sha256',
  change: (element: string) => string = (element) => element,
): string {
  const id = newElementId()
  return sign(envelope(change(answerElement(answer, id, SIGNATURE_PLACE))), id, signer, hashes)
}

/** Error answers come with HTTP 500 (docs/spec/cis.md, Messages); what a check has found is no error. */
export function statusOf({ jir, errors }: Answer): number {
  return jir !== null || errors.every(({ code }) => code.startsWith('v')) ? 200 : 500
}
