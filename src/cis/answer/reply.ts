import type { XmlElement } from 'libxml2-wasm'
import type { EpochMs } from '../../domain/instant.ts'
import type { UpstreamError } from '../../fiscal/ports/tax-authority.ts'
import { momentOf } from './wall-clock.ts'
import { condition, elementsAt, holdsText, one, requiring, textAt } from './xml-path.ts'
import { readXml } from './xml-reader.ts'
import { XmlRefusal } from './xml-refusal.ts'

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

const requireAnswer = requiring(
  ['self::tns:RacunOdgovor', 'what is signed is not an answer'],
  one('tns:Zaglavlje'),
  ['count(tns:Zaglavlje/tns:IdPoruke) <= 1', 'there is more than one IdPoruke'],
  holdsText('tns:Zaglavlje/tns:IdPoruke'),
)
const messageIdOf = textAt('tns:Zaglavlje/tns:IdPoruke')
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

/**
 * Reads a RacunOdgovor out of the canonical bytes that its signature covers.
 * @throws XmlRefusal when it has neither a JIR nor an error, or its JIR is not a UUID
 */
export function readReply(canonical: string): VerifiedReply {
  return readXml(canonical, ({ root }) => {
    requireAnswer(root)
    const facts = { messageId: messageIdOf(root).trim(), signedAt: momentOf(dateOf(root)) }
    const errors = errorsIn(root).map(readError)
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
