/** What the transport, Node's sockets and OpenSSL throw: told apart by `code`, some only by `name`. */
export type Failure = Error & { code?: string }

/** OpenSSL's verdicts about a certificate; `ERR_TLS_` and `ERR_SSL_` codes come beside them. */
const CERTIFICATE_CODES =
  /^(?:UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|CRL_|ERROR_IN_CERT_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|HOSTNAME_MISMATCH|ERR_TLS_CERT)/

/** Says for people why no answer came. Contains the error code, never the content of a message. */
export function failureText(error: Failure, timeoutMs: number): string {
  const code = error.code ?? ''
  if (code === 'ETIMEDOUT') return `no answer came within ${timeoutMs / 1000} seconds`
  if (code === 'PROXY_REFUSED' || code === 'PROXY_UNREACHABLE') return error.message
  if (code === 'ANSWER_TOO_LARGE') return 'the answer is too large'
  if (CERTIFICATE_CODES.test(code)) return `the certificate of the service is not trusted (${code})`
  if (/^ERR_(?:TLS|SSL)_|^EPROTO$/.test(code)) return `the secure connection could not be made (${code})`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the address of the service could not be looked up (${code})`
  if (code.startsWith('HPE_')) return `what came back is not HTTP (${code})`
  return `the connection failed or was cut (${code || error.name})`
}
