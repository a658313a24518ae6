import { ParseOption, XmlDocument } from 'libxml2-wasm'
import { MalformedXml, XmlRefusal } from './xml-refusal.ts'

/**
 * Parses a document strictly and hands it to `read`, freeing it afterwards.
 * @throws MalformedXml when it is not well-formed; XmlRefusal when it has a DOCTYPE, which could define entities
 */
export function readXml<T>(source: Uint8Array | string, read: (document: XmlDocument) => T): T {
  const document = parse(source)
  try {
    if (document.dtd !== null) throw new XmlRefusal('it holds a DOCTYPE')
    return read(document)
  } finally {
    document.dispose()
  }
}

function parse(source: Uint8Array | string): XmlDocument {
  const option = ParseOption.XML_PARSE_NONET | ParseOption.XML_PARSE_NO_XXE
  try {
    return typeof source === 'string'
      ? XmlDocument.fromString(source, { option })
      : XmlDocument.fromBuffer(source, { option })
  } catch {
    // The parser's own message quotes the document, which names a taxpayer.
    throw new MalformedXml('it is not well-formed XML')
  }
}
