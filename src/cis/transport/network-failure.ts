import type { Both } from '../../domain/texts/both.ts'

/** What the transport, Node's sockets and OpenSSL throw: told apart by `code`, some only by `name`; ours say it themselves. */
export type Failure = Error & { code?: string; said?: Both }

/** OpenSSL's verdicts about a certificate; `ERR_TLS_` and `ERR_SSL_` codes come beside them. */
const CERTIFICATE_CODES =
  /^(?:UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|CRL_|ERROR_IN_CERT_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH|ERR_TLS_CERT)/

/** Says for people why no answer came. Contains the error code, never the content of a message. */
export function failureText(error: Failure, timeoutMs: number): Both {
  const code = error.code ?? ''
  if (code === 'ETIMEDOUT')
    return {
      en: `no answer came within ${timeoutMs / 1000} seconds`,
      hr: `odgovor nije stigao za ${timeoutMs / 1000} s`,
    }
  if (error.said) return error.said
  if (code === 'ANSWER_TOO_LARGE') return { en: 'the answer is too large', hr: 'odgovor je prevelik' }
  if (CERTIFICATE_CODES.test(code))
    return {
      en: `the certificate of the service is not trusted (${code})`,
      hr: `certifikatu usluge se ne vjeruje (${code})`,
    }
  if (/^ERR_(?:TLS|SSL)_|^EPROTO$/.test(code))
    return {
      en: `the secure connection could not be made (${code})`,
      hr: `zaštićena veza nije uspostavljena (${code})`,
    }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return {
      en: `the address of the service could not be looked up (${code})`,
      hr: `adresa usluge nije pronađena (${code})`,
    }
  if (code.startsWith('HPE_')) return { en: `what came back is not HTTP (${code})`, hr: `odgovor nije HTTP (${code})` }
  return {
    en: `the connection failed or was cut (${code || error.name})`,
    hr: `veza nije uspostavljena ili je prekinuta (${code || error.name})`,
  }
}
