/** The algorithms of the tax authority's XML signatures (CIS specification, ch. 7); there are no others. */
export const ALGORITHMS = {
  exclusiveC14n: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  /** The service signs with this one; requests are signed with the exclusive one. */
  inclusiveC14n: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
  envelopedSignature: 'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
  rsaSha256: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  sha256: 'http://www.w3.org/2001/04/xmlenc#sha256',
} as const
