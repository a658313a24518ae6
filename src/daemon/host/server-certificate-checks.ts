import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { daysUntil } from '../../domain/certificate.ts'
import { type Check, failure, fine, warning } from '../../domain/check.ts'
import { type EpochMs, formatInstant } from '../../domain/instant.ts'
import { type HealthCheck, skippedAfter } from '../../fiscal/doctor/doctor.ts'
import type { Clock } from '../../fiscal/ports/clock.ts'
import type { Config } from '../config.ts'
import { caKeyPath, caPath, isKeyOf } from '../http/local-ca.ts'
import { missingNames, serverKeyPath, serverPath } from '../http/local-tls.ts'
import { namesOf, tlsDir } from '../http/server-tls.ts'

/** Those of the operator are renewed by the operator; the local one by itself, 30 days before it ends. */
const WARN_UNDER_DAYS = { own: 30, local: 15, authority: 60 }

const RESTART = 'restart fiskd, which makes a new one'

/** Whether firmware can trust who answers it: the certificate of the TLS listener, and the CA that firmware has pinned. */
export function serverCertificateChecks(config: Config, clock: Clock): HealthCheck[] {
  const dir = tlsDir(config.dataDir)
  if (config.tls) {
    const { certPath, keyPath } = config.tls
    return [{ name: SERVER, run: async () => [await ownCheck(certPath, keyPath, clock.now())] }]
  }
  return [{ name: 'local CA', run: () => localChecks(dir, namesOf(config), clock.now()) }]
}

const SERVER = 'server certificate'

async function ownCheck(certPath: string, keyPath: string, now: EpochMs): Promise<Check> {
  const fix = 'bring a new one (FISKD_TLS_CERT, FISKD_TLS_KEY) and restart fiskd'
  const own = await read(certPath)
  if (!own) return failure(SERVER, `${certPath} cannot be read`, fix)
  const keyPem = await readFile(keyPath, 'utf8').catch(() => '')
  if (!isKeyOfAnyKind(keyPem, own)) return failure(SERVER, `${keyPath} is not the key of ${certPath}`, fix)
  return validityCheck(SERVER, own, { now, warnUnderDays: WARN_UNDER_DAYS.own, fix })
}

async function localChecks(dir: string, names: string[], now: EpochMs): Promise<Check[]> {
  const authority = await read(caPath(dir))
  const name = 'local CA'
  if (!authority) {
    const fix = `restore ${caPath(dir)} from a backup of the data directory: every client trusts it`
    return [failure(name, `${caPath(dir)} cannot be read`, fix), skippedAfter(SERVER, name)]
  }
  const keyPem = await readFile(caKeyPath(dir), 'utf8').catch(() => '')
  const again = 'restart fiskd when it has ended, and have every client trust the new ca.pem'
  const ofCa = isKeyOf(keyPem, authority)
    ? validityCheck(name, authority, { now, warnUnderDays: WARN_UNDER_DAYS.authority, fix: again })
    : warning(
        name,
        `${caKeyPath(dir)} is not its key: no new server certificate can be made`,
        `restore ${caKeyPath(dir)} from a backup of the data directory`,
      )
  return [ofCa, await localServerCheck(dir, { authority, names, now })]
}

interface Local {
  authority: X509Certificate
  names: string[]
  now: EpochMs
}

async function localServerCheck(dir: string, { authority, names, now }: Local): Promise<Check> {
  const server = await read(serverPath(dir))
  if (!server) return failure(SERVER, `${serverPath(dir)} cannot be read`, RESTART)
  const keyPem = await readFile(serverKeyPath(dir), 'utf8').catch(() => '')
  if (!isKeyOf(keyPem, server)) return failure(SERVER, `${serverKeyPath(dir)} is not its key`, RESTART)
  if (!server.checkIssued(authority) || !server.verify(authority.publicKey)) {
    return failure(SERVER, 'the local CA, which clients trust, has not issued it', RESTART)
  }
  const missing = missingNames(server, names)
  if (missing.length > 0) return failure(SERVER, `it lacks ${missing.join(', ')}: clients refuse it there`, RESTART)
  return validityCheck(SERVER, server, { now, warnUnderDays: WARN_UNDER_DAYS.local, fix: RESTART })
}

function validityCheck(
  name: string,
  { validFrom, validTo }: X509Certificate,
  { now, warnUnderDays, fix }: { now: EpochMs; warnUnderDays: number; fix: string },
): Check {
  const [begins, ends] = [Date.parse(validFrom), Date.parse(validTo)]
  if (now > ends) return failure(name, `it expired ${day(ends)}: clients refuse it`, fix)
  if (now < begins) return warning(name, `it is valid from ${day(begins)} only`, 'look at the clock of this machine')
  const days = daysUntil(ends, now)
  const left = `it is valid until ${day(ends)}, ${days} days more`
  return days < warnUnderDays ? warning(name, left, fix) : fine(name, left)
}

async function read(path: string): Promise<X509Certificate | null> {
  return readFile(path)
    .then((pem) => new X509Certificate(pem))
    .catch(() => null)
}

/** The operator's may be RSA; the local ones are not. */
function isKeyOfAnyKind(keyPem: string, certificate: X509Certificate): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(keyPem))
  } catch {
    return false
  }
}

const day = (at: EpochMs) => formatInstant(at).slice(0, 10)
