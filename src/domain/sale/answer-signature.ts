/** The signature algorithms that are accepted in answers of the tax authority (docs/spec/cis.md, XML signature). */
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

export function answerSignatureOf(method: string): AnswerSignature | undefined {
  return (Object.keys(ANSWER_SIGNATURES) as AnswerSignature[]).find(
    (name) => ANSWER_SIGNATURES[name].signature === method,
  )
}

const METHOD = /<(?:[\w.-]+:)?SignatureMethod\s[^<>]*?Algorithm\s*=\s*["']([^"'<>]*)["']/

/** For display: null unless it is an accepted algorithm. It does not tell whether the answer was trusted. */
export function answerSignatureIn(xml: string | null): AnswerSignature | null {
  const method = xml === null ? undefined : METHOD.exec(xml)?.[1]
  return (method !== undefined && answerSignatureOf(method)) || null
}
