/**
 * Why an answer is not trusted: its structure or content (`form`), its `algorithm` (`sha1` when only the configuration
 * refuses it), or its `signer`.
 */
export type RefusalCause = 'form' | 'algorithm' | 'sha1' | 'signer'

/** Invalid XML; the message says what is wrong and never quotes the document. */
export class XmlRefusal extends Error {
  readonly about: RefusalCause

  constructor(message: string, about: RefusalCause = 'form') {
    super(message)
    this.about = about
  }
}

/** XML that cannot be parsed. */
export class MalformedXml extends XmlRefusal {}
