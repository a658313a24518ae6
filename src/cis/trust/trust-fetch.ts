import { createHash, X509Certificate } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { attempt } from '../../domain/attempt.ts'
import { FiskError } from '../../domain/errors.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { CIS_BOUNDS } from '../bounds.ts'

/** Three attempts with their pauses end before the technician's command times out. */
const TIMEOUT_MS = 12_000
const PAUSES_MS = [1000, 3000]
const OFFLINE = 'bring the files some other way and use `fisk trust add --for service` and `--for uploads`'

/** A download failed for a reason that a retry does not change. The message says why, for people. */
export class NoDownload extends Error {}

/** Gets a file over plain HTTP. @throws NoDownload, or the error of the connection */
export type Download = (
  url: string,
  options: { signal: AbortSignal },
) => Promise<{ status: number; ok: boolean; body: AsyncIterable<Uint8Array> | null }>

/** Follows redirects, because the fingerprint proves the file, whatever its source is. */
const download: Download = async (url, options) => {
  const { status, ok, body } = await fetch(url, options)
  return { status, ok, body: body as AsyncIterable<Uint8Array> | null }
}

export interface FetchOptions {
  authorities?: readonly KnownAuthority[]
  get?: Download
  /** Pauses before further attempts after a temporary fault. */
  pausesMs?: readonly number[]
}

/**
 * @returns DER, checked against the fingerprints @throws FiskError `internal_error` (download), `invalid_request`
 *   (file)
 */
export function fetchKnownAuthorities(mode: Mode, options: FetchOptions = {}): Promise<Buffer[]> {
  const { authorities = KNOWN_AUTHORITIES[mode], get = download, pausesMs = PAUSES_MS } = options
  return Promise.all(authorities.map((authority) => fetchOne(authority, get, pausesMs)))
}

async function fetchOne(authority: KnownAuthority, get: Download, pausesMs: readonly number[]): Promise<Buffer> {
  const der = derOf(await patiently(() => fileOf(authority, get), pausesMs))
  const fingerprint = createHash('sha256').update(der).digest('hex').toUpperCase()
  if (fingerprint === authority.fingerprint) return der
  throw new FiskError(
    'invalid_request',
    `what ${authority.url} holds is not ${authority.name}: its fingerprint is ${fingerprint}, not ` +
      `${authority.fingerprint}; nothing was installed`,
    { param: 'mode' },
  )
}

/** A temporary fault of the connection or the server: the next attempt may succeed. */
class PassingFault extends FiskError {}

async function patiently<T>(attempt: () => Promise<T>, pausesMs: readonly number[]): Promise<T> {
  for (const pauseMs of pausesMs) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof PassingFault)) throw error
      await setTimeout(pauseMs)
    }
  }
  return attempt()
}

async function fileOf({ name, url }: KnownAuthority, get: Download): Promise<Buffer> {
  const message = (why: string) => `${name} could not be downloaded from ${url}: ${why}; ${OFFLINE}`
  const failed = (why: string) => new FiskError('internal_error', message(why))
  const mayPass = (why: string, cause?: unknown) => new PassingFault('internal_error', message(why), { cause })
  try {
    const answer = await get(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (answer.status >= 500) throw mayPass(`it answered HTTP ${answer.status}`)
    if (!answer.ok || answer.body === null) throw failed(`it answered HTTP ${answer.status}`)
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of answer.body) {
      size += chunk.length
      if (size > CIS_BOUNDS.trustFile.most) throw failed('the file is too large for a certificate')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch (error) {
    if (error instanceof FiskError) throw error
    if (error instanceof NoDownload) throw failed(error.message)
    throw mayPass('the connection failed or took too long', error)
  }
}

/** Certificates are published as DER or as PEM under the same ending; the fingerprint is always that of the DER. */
function derOf(file: Buffer): Buffer {
  if (!file.subarray(0, 64).includes('-----BEGIN CERTIFICATE-----')) return file
  return attempt(() => new X509Certificate(file).raw, file)
}

export interface KnownAuthority {
  name: string
  url: string
  /** SHA-256 of the DER, uppercase hex. The URL is plain HTTP, so only this proves that the file is genuine. */
  fingerprint: string
}

/** Root and intermediate of each mode: the service sends neither (docs/spec/cis.md, Endpoints). */
export const KNOWN_AUTHORITIES: Record<Mode, readonly KnownAuthority[]> = {
  live: [
    {
      name: 'Fina Root CA',
      url: 'http://rdc.fina.hr/Root/FinaRootCA.cer',
      fingerprint: '5AB4FCDB180B5B6AF0D262A2375A2C77D25602015D96648756611E2E78C53AD3',
    },
    {
      name: 'Fina RDC 2020',
      url: 'http://rdc.fina.hr/RDC2020/FinaRDCCA2020.cer',
      fingerprint: '4140B70629FDA4B8A36FD53FB0AA53237157869931B8B2308FD05DF3FF7D78AB',
    },
  ],
  test: [
    {
      name: 'Fina Demo Root CA',
      url: 'http://demo-pki.fina.hr/certifikati/demo2014_root_ca.cer',
      fingerprint: 'A0628E66BCFC6DED7B6D8457DF57AD5477EE55B7D6E1161E25212BD5B1B1E14D',
    },
    {
      name: 'Fina Demo CA 2020',
      url: 'http://demo-pki.fina.hr/certifikati/demo2020_sub_ca.cer',
      fingerprint: '9771586D69DCA73D70E196B7AA059DEF3D47B2DE4BC080E738E5B1BC8A105BD2',
    },
  ],
}
