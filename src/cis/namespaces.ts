/** Namespace of messages and answers (CIS specification, ch. 2). */
export const FISCAL_NAMESPACE = 'http://www.apis-it.hr/fin/2012/types/f73'

/** Namespace of envelopes and faults (SOAP 1.1, 2). */
export const SOAP_NAMESPACE = 'http://schemas.xmlsoap.org/soap/envelope/'

/** Namespace of signatures (XML Signature, 1.3). */
export const SIGNATURE_NAMESPACE = 'http://www.w3.org/2000/09/xmldsig#'
