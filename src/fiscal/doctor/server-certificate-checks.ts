import { daysUntil } from '../../domain/certificate.ts'
import { type Check, failure, fine, warning } from '../../domain/check.ts'
import { type EpochMs, formatInstant } from '../../domain/instant.ts'
import type { Clock } from '../ports/clock.ts'
import type { CertificateFile, ServedCertificates } from '../ports/machine.ts'
import { type HealthCheck, skippedAfter } from './doctor.ts'

/** Those of the operator are renewed by the operator; the local one by itself, 30 days before it ends. */
const WARN_UNDER_DAYS = { own: 30, local: 15, authority: 60 }

const RESTART = 'restart fiskd, which makes a new one'
const SERVER = 'server certificate'
const CA = 'local CA'

/** Whether firmware can trust who answers it: the certificate of the TLS listener, and the CA that firmware has pinned. */
export function serverCertificateChecks(certificates: ServedCertificates, clock: Clock): HealthCheck[] {
  if (!certificates.areLocal) return [{ name: SERVER, run: async () => [await ownCheck(certificates, clock.now())] }]
  return [{ name: CA, run: () => localChecks(certificates, clock.now()) }]
}

async function ownCheck(certificates: ServedCertificates, now: EpochMs): Promise<Check> {
  const fix = 'bring a new one (FISKD_TLS_CERT, FISKD_TLS_KEY) and restart fiskd'
  const own = await certificates.server()
  if ('unreadable' in own) return failure(SERVER, `${own.path} cannot be read`, fix)
  if (!own.hasItsKey) return failure(SERVER, `${own.keyPath} is not the key of ${own.path}`, fix)
  return validityCheck(SERVER, own, { now, warnUnderDays: WARN_UNDER_DAYS.own, fix })
}

async function localChecks(certificates: ServedCertificates, now: EpochMs): Promise<Check[]> {
  const authority = await certificates.localCa()
  if ('unreadable' in authority) {
    const fix = `restore ${authority.path} from a backup of the data directory: every client trusts it`
    return [failure(CA, `${authority.path} cannot be read`, fix), skippedAfter(SERVER, CA)]
  }
  const again = 'restart fiskd when it has ended, and have every client trust the new ca.pem'
  const ofCa = authority.hasItsKey
    ? validityCheck(CA, authority, { now, warnUnderDays: WARN_UNDER_DAYS.authority, fix: again })
    : warning(
        CA,
        `${authority.keyPath} is not its key: no new server certificate can be made`,
        `restore ${authority.keyPath} from a backup of the data directory`,
      )
  return [ofCa, await localServerCheck(certificates, now)]
}

async function localServerCheck(certificates: ServedCertificates, now: EpochMs): Promise<Check> {
  const server = await certificates.server()
  if ('unreadable' in server) return failure(SERVER, `${server.path} cannot be read`, RESTART)
  if (!server.hasItsKey) return failure(SERVER, `${server.keyPath} is not its key`, RESTART)
  if (!server.isIssuedByLocalCa) {
    return failure(SERVER, 'the local CA, which clients trust, has not issued it', RESTART)
  }
  const missing = server.missingNames
  if (missing.length > 0) return failure(SERVER, `it lacks ${missing.join(', ')}: clients refuse it there`, RESTART)
  return validityCheck(SERVER, server, { now, warnUnderDays: WARN_UNDER_DAYS.local, fix: RESTART })
}

function validityCheck(
  name: string,
  { validFrom, validTo }: CertificateFile,
  { now, warnUnderDays, fix }: { now: EpochMs; warnUnderDays: number; fix: string },
): Check {
  if (now > validTo) return failure(name, `it expired ${day(validTo)}: clients refuse it`, fix)
  if (now < validFrom) {
    return warning(name, `it is valid from ${day(validFrom)} only`, 'look at the clock of this machine')
  }
  const days = daysUntil(validTo, now)
  const left = `it is valid until ${day(validTo)}, ${days} days more`
  return days < warnUnderDays ? warning(name, left, fix) : fine(name, left)
}

const day = (at: EpochMs) => formatInstant(at).slice(0, 10)
