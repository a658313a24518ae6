/**
 * Structure or content (`form`), its `algorithm` (`sha1` when only the configuration refuses it), or its signer: the subject
 * has another `signer_name` or `signer_identifier` than the service, its key is no RSA key (`signer_key`), or it does not
 * chain to the trust bundle (`signer`).
 */
export type RefusalCause = 'form' | 'algorithm' | 'sha1' | 'signer' | 'signer_name' | 'signer_identifier' | 'signer_key'

/** Invalid XML; the message says what is wrong and quotes nothing of the document but the name of a signer. */
export class XmlRefusal extends Error {
  readonly about: RefusalCause

  constructor(message: string, about: RefusalCause = 'form') {
    super(message)
    this.about = about
  }
}

export class MalformedXml extends XmlRefusal {}
