import { ANSWER_SIGNATURES } from '../domain/sale/answer-signature.ts'

/** Namespace of messages and answers (CIS specification, ch. 2). */
export const FISCAL_NAMESPACE = 'http://www.apis-it.hr/fin/2012/types/f73'

/** Namespace of envelopes and faults (SOAP 1.1, 2). */
export const SOAP_NAMESPACE = 'http://schemas.xmlsoap.org/soap/envelope/'

/** Namespace of signatures (XML Signature, 1.3). */
export const SIGNATURE_NAMESPACE = 'http://www.w3.org/2000/09/xmldsig#'

/** The algorithms of the tax authority's XML signatures (CIS specification, ch. 7); there are no others. */
export const ALGORITHMS = {
  exclusiveC14n: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  /** For answers: the service uses the inclusive form; requests use the exclusive form. */
  inclusiveC14n: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  envelopedSignature: 'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  /** Requests are always signed with this algorithm. */
  rsaSha256: ANSWER_SIGNATURES['rsa-sha256'].signature,
  sha256: ANSWER_SIGNATURES['rsa-sha256'].digest,
} as const
