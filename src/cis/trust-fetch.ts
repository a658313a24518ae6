import { createHash, X509Certificate } from 'node:crypto'
import { fetch } from 'undici'
import { FiskError } from '../domain/errors.ts'
import type { Mode } from '../domain/sale.ts'
import { KNOWN_AUTHORITIES, type KnownAuthority } from './known-authorities.ts'

const MAX_BYTES = 64 * 1024
const TIMEOUT_MS = 15_000
const OFFLINE = 'bring the files some other way and use `fisk trust add`'

export interface FetchOptions {
  authorities?: readonly KnownAuthority[]
  /** How files are downloaded; undici's own when left out. */
  fetch?: typeof fetch
}

/**
 * Downloads the CA certificates that a mode needs and checks each against its fingerprint.
 * @returns all of them, DER; nothing is installed
 * @throws FiskError `internal_error` when a download failed, `invalid_request` when a file is not the one expected
 */
export function fetchKnownAuthorities(mode: Mode, options: FetchOptions = {}): Promise<Buffer[]> {
  const { authorities = KNOWN_AUTHORITIES[mode], fetch: get = fetch } = options
  return Promise.all(authorities.map((authority) => fetchOne(authority, get)))
}

async function fetchOne(authority: KnownAuthority, get: typeof fetch): Promise<Buffer> {
  const der = derOf(await download(authority, get))
  const fingerprint = createHash('sha256').update(der).digest('hex').toUpperCase()
  if (fingerprint === authority.fingerprint) return der
  throw new FiskError(
    'invalid_request',
    `what ${authority.url} holds is not ${authority.name}: its fingerprint is ${fingerprint}, not ` +
      `${authority.fingerprint}; nothing was installed`,
    { param: 'mode' },
  )
}

async function download({ name, url }: KnownAuthority, get: typeof fetch): Promise<Buffer> {
  const failed = (why: string, cause?: unknown) =>
    new FiskError('internal_error', `${name} could not be downloaded from ${url}: ${why}; ${OFFLINE}`, { cause })
  try {
    // Redirects are followed: wherever the file comes from, its fingerprint decides.
    const answer = await get(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (!answer.ok || answer.body === null) throw failed(`it answered HTTP ${answer.status}`)
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of answer.body as AsyncIterable<Uint8Array>) {
      size += chunk.length
      if (size > MAX_BYTES) throw failed('the file is too large for a certificate')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch (error) {
    if (error instanceof FiskError) throw error
    throw failed('the connection failed or took too long', error)
  }
}

/** Certificates are published as DER or as PEM under the same ending; the fingerprint is always that of the DER. */
function derOf(file: Buffer): Buffer {
  if (!file.subarray(0, 64).includes('-----BEGIN CERTIFICATE-----')) return file
  try {
    return new X509Certificate(file).raw
  } catch {
    return file
  }
}
