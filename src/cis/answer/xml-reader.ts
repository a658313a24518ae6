import { ParseOption, XmlDocument } from 'libxml2-wasm'

/**
 * What is in the way of believing an answer: how it is built or what it says (`form`), how it is signed (`sha1` where only
 * the configuration refuses that), or by whom.
 */
export type RefusalCause = 'form' | 'algorithm' | 'sha1' | 'signer'

/** XML that is not what it must be; the message says what is wrong and never quotes the document. */
export class XmlRefusal extends Error {
  readonly about: RefusalCause

  constructor(message: string, about: RefusalCause = 'form') {
    super(message)
    this.about = about
  }
}

/** It cannot be parsed at all. */
export class MalformedXml extends XmlRefusal {}

/**
 * Parses a document strictly and hands it to `read`, freeing it afterwards.
 * @throws MalformedXml when it is not well-formed; XmlRefusal when it brings a DOCTYPE, and with it the means to define entities.
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
