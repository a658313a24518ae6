import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import type { Config } from '../config.ts'
import { BUILT_AT, CERTAINLY_PAST } from '../version.ts'
import type { TlsPair } from './listeners.ts'
import type { CertificateClock } from './local-ca.ts'
import { ensureLocalTls } from './local-server-certificate.ts'

export const tlsDir = (dataDir: string) => join(dataDir, 'tls')

/** What is known of the time where nobody has proven it: no clock is behind the build. */
export function unprovenClock(shown: number): CertificateClock {
  const now = Math.max(shown, BUILT_AT ?? shown)
  return { now, since: Math.min(now, CERTAINLY_PAST), isProven: false }
}

export interface ServerTls extends TlsPair {
  renewed: boolean
  /** Names that no certificate can contain: callers cannot reach the daemon by these names. */
  unusableNames: string[]
}

/**
 * The operator's own, read again from its files, or one of the local CA, issued or renewed if due.
 * @throws Error when the operator's files cannot be read or the local ones cannot be made
 */
export async function serverTls(config: Config, clock: CertificateClock): Promise<ServerTls> {
  if (config.tls) {
    const certPem = await readOwn('FISKD_TLS_CERT', config.tls.certPath)
    const keyPem = await readOwn('FISKD_TLS_KEY', config.tls.keyPath)
    try {
      createSecureContext({ cert: certPem, key: keyPem })
    } catch (error) {
      throw new Error('FISKD_TLS_CERT and FISKD_TLS_KEY are no certificate with its key, PEM', { cause: error })
    }
    return { certPem, keyPem, renewed: true, unusableNames: [] }
  }
  const names = namesOf(config)
  const dir = tlsDir(config.dataDir)
  const caDir = tlsDir(config.sharedDir)
  const welcomeNames = multicastNames(hostname())
  const { certPem, keyPem, renewed, unusable } = await ensureLocalTls({ dir, caDir, names, welcomeNames, clock })
  return { certPem, keyPem, renewed, unusableNames: unusable }
}

/** The names that clients may reach this daemon by, as far as the configuration tells. */
export function namesOf(config: Config): string[] {
  const everywhere = new Set(['0.0.0.0', '::'])
  const listened = config.listen.map(({ host }) => host).filter((host) => !everywhere.has(host))
  return [...new Set(['localhost', '127.0.0.1', '::1', hostname(), ...listened, ...config.tlsNames])]
}

/** By which name multicast DNS (Avahi) finds a machine on the LAN, where its own name has no domain (RFC 6762). */
export function multicastNames(host: string): string[] {
  return host === '' || host === 'localhost' || host.includes('.') ? [] : [`${host}.local`]
}

async function readOwn(variable: string, path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${variable} is ${path}, which cannot be read: ${error.code}`, { cause: error })
  })
}
