import type { XmlElement } from 'libxml2-wasm'
import type { EpochMs } from '../../domain/instant.ts'
import { formatZagreb, momentInZagreb } from '../../domain/zagreb.ts'
import type { UpstreamError } from '../../fiscal/ports/tax-authority.ts'
import { condition, elementsAt, holdsText, one, readXml, requiring, textAt, XmlRefusal } from './xml-reader.ts'

/** What a signed answer says: a JIR, errors, or a JIR with warnings beside it. */
export type VerifiedReply = (
  | { jir: string; errors: UpstreamError[] }
  | { jir: null; errors: [UpstreamError, ...UpstreamError[]] }
) & {
  /** IdPoruke of the answered message; empty when the answer has none. */
  messageId: string
  /** DatumVrijeme, cut to the second; null when it is missing, or ambiguous because of daylight saving time. */
  signedAt: EpochMs | null
}

const JIR = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** @throws XmlRefusal when an answer has not exactly one header, with one message id at most */
export const requireHeader = requiring(
  one('tns:Zaglavlje'),
  ['count(tns:Zaglavlje/tns:IdPoruke) <= 1', 'there is more than one IdPoruke'],
  holdsText('tns:Zaglavlje/tns:IdPoruke'),
)
const requireAnswer = requiring(['self::tns:RacunOdgovor', 'what is signed is not an answer'])
const idOf = textAt('tns:Zaglavlje/tns:IdPoruke')
/** Empty when the answer has none. */
export const messageIdOf = (root: XmlElement): string => idOf(root).trim()
/** As `VerifiedReply.signedAt`. */
export const signedAtOf = (root: XmlElement): EpochMs | null => momentOf(dateOf(root))
/** @throws XmlRefusal for an error without code or text */
export const errorsOf = (root: XmlElement): UpstreamError[] => errorsIn(root).map(readError)
export const isSystemError = ({ code }: UpstreamError): boolean => code.toLowerCase() === 's006'
const dateOf = textAt('tns:Zaglavlje/tns:DatumVrijeme')
const anyDateOf = textAt('*[local-name()="Zaglavlje"]/*[local-name()="DatumVrijeme"]')
const hasJir = condition('tns:Jir')
const requireJir = requiring(one('tns:Jir'), holdsText('tns:Jir'))
const jirOf = textAt('tns:Jir')
const errorsIn = elementsAt('tns:Greske/tns:Greska')
const requireError = requiring(
  one('tns:SifraGreske'),
  holdsText('tns:SifraGreske'),
  one('tns:PorukaGreske'),
  holdsText('tns:PorukaGreske'),
)
const codeOf = textAt('tns:SifraGreske')
const textOf = textAt('tns:PorukaGreske')

/** From the bytes that the signature covers. @throws XmlRefusal when it has neither JIR nor error, or no UUID as JIR */
export function readReply(canonical: string): VerifiedReply {
  return readXml(canonical, ({ root }) => {
    requireAnswer(root)
    requireHeader(root)
    const facts = { messageId: messageIdOf(root), signedAt: signedAtOf(root) }
    const errors = errorsOf(root)
    const [first, ...others] = errors
    if (hasJir(root)) return { ...facts, jir: readJir(root), errors }
    if (!first) throw new XmlRefusal('it holds neither a JIR nor an error')
    return { ...facts, jir: null, errors: [first, ...others] }
  })
}

function readJir(root: XmlElement): string {
  requireJir(root)
  const jir = jirOf(root).trim()
  if (!JIR.test(jir)) throw new XmlRefusal('its JIR is not a UUID')
  return jir
}

function readError(error: XmlElement): UpstreamError {
  requireError(error)
  return { code: codeOf(error).trim(), message: textOf(error).trim() }
}

/** DatumVrijeme of any signed answer, as `VerifiedReply.signedAt`. */
export function signedAt(canonical: string): EpochMs | null {
  return readXml(canonical, ({ root }) => momentOf(anyDateOf(root)))
}

const WALL_CLOCK = /^\d{2}\.\d{2}\.\d{4}T\d{2}:\d{2}:\d{2}$/

/** A wall clock in Zagreb as messages have it; null when it is none, or ambiguous. */
function momentOf(text: string): EpochMs | null {
  const date = text.trim()
  if (!WALL_CLOCK.test(date)) return null
  const part = (from: number, to: number) => Number(date.slice(from, to))
  const shown = Date.UTC(part(6, 10), part(3, 5) - 1, part(0, 2), part(11, 13), part(14, 16), part(17, 19))
  const moment = momentInZagreb(shown)
  // `Date.UTC` turns 31 February into a day in March.
  return moment !== null && formatZagreb(moment, 'dd.MM.yyyyTHH:mm:ss') === date ? moment : null
}
