import { X509Certificate } from 'node:crypto'
import { readFile, rm, stat } from 'node:fs/promises'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { writeFileAtomic } from '../lifecycle/atomic-file.ts'
import { caPath, isGone, readIfThere } from './local-ca.ts'
import { tlsDir } from './server-tls.ts'

export interface TrustedCa {
  /** The certificate alone, PEM. */
  pem: string
  /** Its fingerprint as `openssl x509 -fingerprint -sha256` writes it. */
  sha256: string
  /** Where it lies: the copy that every local user can read, if there is one. */
  file: string
}

type CaLocation = Pick<Config, 'tls' | 'sharedDir' | 'caFile'>

const EVERYBODY_READS = 0o644

/** Null where the operator has brought a certificate, whose CA fiskd does not know. @throws without `ca.pem` */
export async function trustedCa({ tls, sharedDir, caFile }: CaLocation): Promise<TrustedCa | null> {
  if (tls !== null) return null
  const path = caPath(tlsDir(sharedDir))
  // What else may be in the file by mistake, such as its key, stays there.
  const certificate = new X509Certificate(await readFile(path))
  const pem = certificate.toString()
  const isPublished = caFile !== null && (await isCopy(caFile, pem))
  return { pem, sha256: certificate.fingerprint256, file: isPublished ? caFile : path }
}

/** Takes it away where it is no longer what clients have to trust. A copy that cannot be written disturbs no sale. */
export async function publishCa(config: CaLocation, log: Pick<Logger, 'warn'>): Promise<void> {
  const { tls, sharedDir, caFile } = config
  if (caFile === null) return
  try {
    const ca = await trustedCa({ tls: null, sharedDir, caFile: null })
    if (tls === null && ca && !(await isCopy(caFile, ca.pem))) await writeFileAtomic(caFile, ca.pem, EVERYBODY_READS)
    if (tls !== null && ca && (await readIfThere(caFile)) === ca.pem) await rm(caFile)
  } catch (error) {
    // There was never a local CA.
    if (tls !== null && isGone(error)) return
    const fix = 'sudo systemd-tmpfiles --create fiskd.conf, then sudo systemctl restart fiskd'
    log.warn({ err: error }, `the copy of the CA for local users could not be written to ${caFile}: ${fix}`)
  }
}

async function isCopy(path: string, pem: string): Promise<boolean> {
  if ((await readIfThere(path)) !== pem) return false
  return ((await stat(path)).mode & 0o777) === EVERYBODY_READS
}
