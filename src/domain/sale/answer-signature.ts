/** How an answer of the tax authority may be signed, by the identifiers of XML Signature (spec/cis.md, Signature). */
export const ANSWER_SIGNATURES = {
  'rsa-sha256': {
    signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    digest: 'http://www.w3.org/2001/04/xmlenc#sha256',
    hash: 'sha256',
  },
  'rsa-sha1': {
    signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
    digest: 'http://www.w3.org/2000/09/xmldsig#sha1',
    hash: 'sha1',
  },
} as const
export type AnswerSignature = keyof typeof ANSWER_SIGNATURES

/** The one whose signature method has this identifier. */
export function answerSignatureOf(method: string): AnswerSignature | undefined {
  return (Object.keys(ANSWER_SIGNATURES) as AnswerSignature[]).find(
    (name) => ANSWER_SIGNATURES[name].signature === method,
  )
}

const METHOD = /<(?:[\w.-]+:)?SignatureMethod\s[^<>]*?Algorithm\s*=\s*["']([^"'<>]*)["']/

/**
 * What an archived answer says of its own signature, for people to read; whether it was believed says the attempt.
 * @returns null where it names none of those that may be used
 */
export function answerSignatureIn(xml: string | null): AnswerSignature | null {
  const method = xml === null ? undefined : METHOD.exec(xml)?.[1]
  return (method !== undefined && answerSignatureOf(method)) || null
}
