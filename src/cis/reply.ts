import type { XmlElement } from 'libxml2-wasm'
import type { UpstreamError } from '../fiscal/ports.ts'
import { condition, elementsAt, holdsText, one, requiring, textAt } from './xml-path.ts'
import { readXml, XmlRefusal } from './xml-reader.ts'

/** What a believed answer says: a JIR, errors, or a JIR with warnings beside it. */
export type VerifiedReply =
  | { jir: string; errors: UpstreamError[] }
  | { jir: null; errors: [UpstreamError, ...UpstreamError[]] }

const JIR = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const requireAnswer = requiring(
  ['self::tns:RacunOdgovor', 'what is signed is not an answer'],
  one('tns:Zaglavlje'),
  one('tns:Zaglavlje/tns:IdPoruke'),
  holdsText('tns:Zaglavlje/tns:IdPoruke'),
)
const messageIdOf = textAt('tns:Zaglavlje/tns:IdPoruke')
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
 * @throws XmlRefusal when it answers another message, says nothing, or names a JIR that is no UUID
 */
export function readReply(canonical: string, messageId: string): VerifiedReply {
  return readXml(canonical, ({ root }) => {
    requireAnswer(root)
    if (messageIdOf(root) !== messageId) throw new XmlRefusal('it answers another message')
    const errors = errorsIn(root).map(readError)
    const [first, ...others] = errors
    if (hasJir(root)) return { jir: readJir(root), errors }
    if (!first) throw new XmlRefusal('it holds neither a JIR nor an error')
    return { jir: null, errors: [first, ...others] }
  })
}

function readJir(root: XmlElement): string {
  requireJir(root)
  const jir = jirOf(root)
  if (!JIR.test(jir)) throw new XmlRefusal('its JIR is not a UUID')
  return jir
}

function readError(error: XmlElement): UpstreamError {
  requireError(error)
  return { code: codeOf(error).trim(), message: textOf(error).trim() }
}
