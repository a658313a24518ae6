import type { XmlElement } from 'libxml2-wasm'
import type { UpstreamError } from '../fiscal/ports.ts'
import { FISCAL_NAMESPACE } from './message.ts'
import { elementsNamed, isNamed, onlyElement, readXml, textOf, XmlRefusal } from './xml-reader.ts'

/** What a believed answer says: a JIR, errors, or a JIR with warnings beside it. */
export type VerifiedReply =
  | { jir: string; errors: UpstreamError[] }
  | { jir: null; errors: [UpstreamError, ...UpstreamError[]] }

const JIR = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * Reads a RacunOdgovor out of the canonical bytes that its signature covers.
 * @throws XmlRefusal when it answers another message, says nothing, or names a JIR that is no UUID
 */
export function readReply(canonical: string, messageId: string): VerifiedReply {
  return readXml(canonical, ({ root }) => {
    if (!isNamed(root, FISCAL_NAMESPACE, 'RacunOdgovor')) throw new XmlRefusal('what is signed is not an answer')
    const header = onlyElement(root, FISCAL_NAMESPACE, 'Zaglavlje')
    if (textOf(onlyElement(header, FISCAL_NAMESPACE, 'IdPoruke')) !== messageId) {
      throw new XmlRefusal('it answers another message')
    }
    const errors = readErrors(root)
    const [first, ...others] = errors
    if (elementsNamed(root, FISCAL_NAMESPACE, 'Jir').length > 0) return { jir: readJir(root), errors }
    if (!first) throw new XmlRefusal('it holds neither a JIR nor an error')
    return { jir: null, errors: [first, ...others] }
  })
}

function readJir(root: XmlElement): string {
  const jir = textOf(onlyElement(root, FISCAL_NAMESPACE, 'Jir'))
  if (!JIR.test(jir)) throw new XmlRefusal('its JIR is not a UUID')
  return jir
}

function readErrors(root: XmlElement): UpstreamError[] {
  return elementsNamed(root, FISCAL_NAMESPACE, 'Greske')
    .flatMap((list) => elementsNamed(list, FISCAL_NAMESPACE, 'Greska'))
    .map((error) => ({
      code: textOf(onlyElement(error, FISCAL_NAMESPACE, 'SifraGreske')).trim(),
      message: textOf(onlyElement(error, FISCAL_NAMESPACE, 'PorukaGreske')).trim(),
    }))
}
