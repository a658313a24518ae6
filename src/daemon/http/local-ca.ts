import { createHash, createPublicKey, X509Certificate } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { attempt } from '../../domain/attempt.ts'
import { DAY_MS, type EpochMs } from '../../domain/instant.ts'
import { issueAuthority, newKeyPem } from '../../x509/issue-certificate.ts'
import { writeFileAtomic } from '../lifecycle/atomic-file.ts'
import { BUILT_AT } from '../version.ts'

const YEARS = 10

/** A clock that is a little behind, as on machines without a battery, must still find new certificates valid. */
export const BACKDATED_MS = DAY_MS

export interface LocalCa {
  certPem: string
  certificate: X509Certificate
  notAfter: EpochMs
  /** Null when `ca.key` is gone or belongs to another certificate: such a CA can be trusted but issues nothing. */
  keyPem: string | null
}

export const caPath = (dir: string) => join(dir, 'ca.pem')
export const caKeyPath = (dir: string) => join(dir, 'ca.key')

export interface CertificateClock {
  now: EpochMs
  /** A moment that is certainly past: clients with a right clock find valid what begins then, however wrong `now` is. */
  since: EpochMs
  /** `now` was confirmed since the machine was started. */
  isProven: boolean
}

/**
 * The CA of this installation, made on first use. Clients have pinned `ca.pem`, so it is kept until it has certainly
 * expired, even with its key lost. One that is not yet valid by a proven clock was made by a wrong one, and no client can
 * have trusted it: it is made anew.
 * @throws Error when `ca.pem` is there and unreadable
 */
export async function ensureLocalCa(dir: string, clock: CertificateClock): Promise<LocalCa> {
  const certPem = await readIfThere(caPath(dir))
  const keyPem = await readIfThere(caKeyPath(dir))
  let isUnused = certPem === null
  if (certPem !== null) {
    const certificate = parseCa(dir, certPem)
    const notAfter = Date.parse(certificate.validTo)
    const ownKey = keyPem !== null && isKeyOf(keyPem, certificate) ? keyPem : null
    isUnused = begins(certificate) > clock.now && clock.isProven
    if (!isUnused && clock.since <= notAfter) return { certPem, certificate, notAfter, keyPem: ownKey }
  }
  // A key without its certificate is used again: clients that pinned the lost certificate know its name and key.
  const reusable = isUnused && keyPem !== null && isPrivateKey(keyPem) ? keyPem : null
  return createLocalCa(dir, reusable ?? (await newKeyPem()), clock)
}

export const begins = ({ validFrom }: X509Certificate): EpochMs => Date.parse(validFrom)

const LOCK_MS = 10_000

/** The CA of several processes: one of them makes or renews it, and the others wait and take that one. */
export async function ensureSharedCa(dir: string, clock: CertificateClock): Promise<LocalCa> {
  await mkdir(dir, { recursive: true, mode: 0o755 })
  // The operating system's lock: it is gone with the process, however that ends.
  const lock = new Database(join(dir, 'ca.lock'), { timeout: LOCK_MS })
  try {
    lock.pragma('locking_mode = EXCLUSIVE')
    lock.exec('BEGIN EXCLUSIVE')
    return await ensureLocalCa(dir, clock)
  } finally {
    lock.close()
  }
}

async function createLocalCa(dir: string, keyPem: string, { now, since }: CertificateClock): Promise<LocalCa> {
  const notBefore = Math.min(since, BUILT_AT ?? since) - BACKDATED_MS
  const notAfter = new Date(now).setUTCFullYear(new Date(now).getUTCFullYear() + YEARS)
  const { certPem } = await issueAuthority({
    commonName: `fiskd local CA ${markOf(keyPem)}`,
    keyPem,
    notBefore,
    notAfter,
  })
  await writeFileAtomic(caKeyPath(dir), keyPem, 0o600)
  await writeFileAtomic(caPath(dir), certPem, 0o644)
  const certificate = new X509Certificate(certPem)
  return { certPem, certificate, notAfter: Date.parse(certificate.validTo), keyPem }
}

/** Tells the CAs of several machines apart in a client's list, and stays the same for the same key. */
function markOf(keyPem: string): string {
  const spki = createPublicKey(keyPem).export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(spki).digest('hex').slice(0, 8)
}

function parseCa(dir: string, certPem: string): X509Certificate {
  try {
    return new X509Certificate(certPem)
  } catch (cause) {
    const fix = `restore it from the backup, or delete it together with ${caKeyPath(dir)} to start with a new CA`
    throw new Error(`${caPath(dir)} is not a certificate: ${fix}, which every client must then trust anew`, { cause })
  }
}

export function isKeyOf(keyPem: string, certificate: X509Certificate): boolean {
  return isPrivateKey(keyPem) && createPublicKey(keyPem).equals(certificate.publicKey)
}

const isPrivateKey = (keyPem: string): boolean =>
  attempt(() => createPublicKey(keyPem).asymmetricKeyType === 'ec' && keyPem.includes('PRIVATE KEY'), false)

export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

export const isGone = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'
