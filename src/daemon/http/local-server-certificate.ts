import { X509Certificate } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { domainToASCII } from 'node:url'
import { DAY_MS } from '../../domain/instant.ts'
import { issueServer, type KeyAndCertificate } from '../../x509/issue-certificate.ts'
import { writeFileAtomic } from '../lifecycle/atomic-file.ts'
import {
  BACKDATED_MS,
  begins,
  type CertificateClock,
  caKeyPath,
  caPath,
  ensureLocalCa,
  ensureSharedCa,
  isKeyOf,
  type LocalCa,
  readIfThere,
} from './local-ca.ts'

/** The longest validity that browsers accept for a server certificate. */
const VALID_DAYS = 397
const RENEW_UNDER_DAYS = 30
const ALWAYS = ['localhost', '127.0.0.1', '::1']

export interface LocalTls {
  /** What clients trust. */
  caPath: string
  certPem: string
  keyPem: string
  renewed: boolean
  /** Names that no certificate can carry and that were therefore left out, as given. */
  unusable: string[]
}

/**
 * From a CA of its own (both EC P-256, files in `dir`): `ca.pem`, `ca.key`, `server.pem`, `server.key`. Issued anew
 * when a name is missing, when less than 30 days remain, or when CA and certificate do not belong together.
 * @param o.caDir where the CA is, when several processes share one; `dir` when left out
 * @param o.names DNS names and IP addresses beside localhost, 127.0.0.1 and ::1
 * @param o.welcomeNames a new certificate carries them, too; one without them is renewed only where that is possible
 * @throws Error naming file and fix when the CA is unreadable, or when a new certificate is due and its key is lost
 */
export async function ensureLocalTls(o: {
  dir: string
  caDir?: string
  names: string[]
  welcomeNames?: string[]
  clock: CertificateClock
}): Promise<LocalTls> {
  await mkdir(o.dir, { recursive: true, mode: 0o755 })
  const clock = { ...o.clock, since: Math.min(o.clock.now, o.clock.since) }
  const caDir = o.caDir ?? o.dir
  const ca = await (caDir === o.dir ? ensureLocalCa(caDir, clock) : ensureSharedCa(caDir, clock))
  const given = o.names.map((name) => [name, usableName(name)] as const)
  const names = usableNames(ca.keyPem === null ? o.names : [...o.names, ...(o.welcomeNames ?? [])])
  const unusable = given.filter(([, usable]) => usable === null).map(([name]) => name)
  const present = await readServer(o.dir)
  const found = { caPath: caPath(caDir), unusable }
  if (present && isGood(present, ca, names, clock)) return { ...found, ...present, renewed: false }
  return { ...found, ...(await issue({ dir: o.dir, caDir, ca, names, clock })), renewed: true }
}

export const serverPath = (dir: string) => join(dir, 'server.pem')
export const serverKeyPath = (dir: string) => join(dir, 'server.key')

async function readServer(dir: string): Promise<KeyAndCertificate | null> {
  const [certPem, keyPem] = await Promise.all([readIfThere(serverPath(dir)), readIfThere(serverKeyPath(dir))])
  return certPem === null || keyPem === null ? null : { certPem, keyPem }
}

/**
 * A certificate that is not yet valid counts as good until the time is proven: then the clock of this machine may have
 * been set back, and a new certificate could already be expired for clients with a correct clock. By a proven clock it
 * was made by a wrong one, and so was one that ends too late.
 */
function isGood(
  { certPem, keyPem }: KeyAndCertificate,
  ca: LocalCa,
  names: string[],
  { now, isProven }: CertificateClock,
): boolean {
  try {
    const server = new X509Certificate(certPem)
    const notAfter = Date.parse(server.validTo)
    if (isProven && (begins(server) > now || notAfter > now + VALID_DAYS * DAY_MS)) return false
    // Near the end of the CA's validity no longer-lasting certificate can be issued.
    const lasts = notAfter - now >= RENEW_UNDER_DAYS * DAY_MS || (notAfter >= ca.notAfter && notAfter > now)
    const ours = server.checkIssued(ca.certificate) && server.verify(ca.certificate.publicKey)
    return lasts && ours && isKeyOf(keyPem, server) && missingNames(server, names).length === 0
  } catch {
    return false
  }
}

/** Names that a certificate should carry, could, and does not. @param names as for `ensureLocalTls` */
export function missingNames(server: X509Certificate, names: string[]): string[] {
  return usableNames(names).filter((name) => !covers(server, name))
}

function usableNames(names: string[]): string[] {
  return [...new Set([...ALWAYS, ...names.flatMap((name) => usableName(name) ?? [])])]
}

function covers(server: X509Certificate, name: string): boolean {
  if (isIP(name) !== 0) return server.checkIP(name) !== undefined
  return server.checkHost(name, { subject: 'never', wildcards: false }) !== undefined
}

interface Order {
  dir: string
  caDir: string
  ca: LocalCa
  names: string[]
  clock: CertificateClock
}

async function issue({ dir, caDir, ca, names, clock: { now, since } }: Order): Promise<KeyAndCertificate> {
  if (ca.keyPem === null) {
    throw new Error(
      `a new server certificate is due, but ${caKeyPath(caDir)} is not the key of ${caPath(caDir)}: ` +
        'restore it from the backup, or delete both to start with a new CA, which every client must then trust anew',
    )
  }
  const server = await issueServer({
    commonName: 'fiskd',
    names,
    notBefore: since - BACKDATED_MS,
    notAfter: Math.min(now - BACKDATED_MS + VALID_DAYS * DAY_MS, ca.notAfter),
    authority: { certPem: ca.certPem, keyPem: ca.keyPem },
  })
  // Should the power fail between the two, the next start finds a key that is not the certificate's and issues again.
  await writeFileAtomic(serverKeyPath(dir), server.keyPem, 0o600)
  await writeFileAtomic(serverPath(dir), server.certPem, 0o644)
  return server
}

/** A name as a certificate writes it: an address without its zone, a DNS name in lowercase ASCII; null when neither. */
function usableName(name: string): string | null {
  const address = name.replace(/%.*$/, '')
  if (isIP(address) !== 0) return address
  const ascii = domainToASCII(name).toLowerCase()
  return ascii.length <= 253 && /^[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/.test(ascii) ? ascii : null
}
