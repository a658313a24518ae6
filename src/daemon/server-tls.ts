import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Config } from './config.ts'
import type { TlsPair } from './listeners.ts'
import { ensureLocalTls } from './local-tls.ts'

export const tlsDir = (dataDir: string) => join(dataDir, 'tls')

/** What to serve with, and what a technician should know about it. */
export interface ServerTls extends TlsPair {
  renewed: boolean
  /** Names that no certificate can carry: nobody can reach the daemon by them. */
  unusableNames: string[]
}

/**
 * The certificate to serve with: the operator's own, read anew, or the local CA's, made or renewed when its time comes.
 * @throws Error when the operator's files cannot be read or the local ones cannot be made
 */
export async function serverTls(config: Config, now: number): Promise<ServerTls> {
  if (config.tls) {
    const [certPem, keyPem] = await Promise.all([
      readFile(config.tls.certPath, 'utf8'),
      readFile(config.tls.keyPath, 'utf8'),
    ])
    return { certPem, keyPem, renewed: true, unusableNames: [] }
  }
  const everywhere = new Set(['0.0.0.0', '::'])
  const listened = config.listen.map(({ host }) => host).filter((host) => !everywhere.has(host))
  const names = [...new Set(['localhost', '127.0.0.1', '::1', hostname(), ...listened])]
  const { certPem, keyPem, renewed, unusable } = await ensureLocalTls({ dir: tlsDir(config.dataDir), names, now })
  return { certPem, keyPem, renewed, unusableNames: unusable }
}
