import { daysUntil } from '../../domain/certificate.ts'
import { type Check, failure, fine, warning } from '../../domain/check.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { Both } from '../../domain/texts/both.ts'
import type { Clock } from '../ports/clock.ts'
import type { CertificateFile, ServedCertificates } from '../ports/machine.ts'
import { day, type HealthCheck, skippedAfter, validFrom, validUntil } from './doctor.ts'

/** Those of the operator are renewed by the operator; the local one by itself, 30 days before it ends. */
const WARN_UNDER_DAYS = { own: 30, local: 15, authority: 60 }

const RESTART = { en: 'restart fiskd, which makes a new one', hr: 'ponovno pokrenite fiskd: izradit će novi' }
const SERVER = { en: 'server certificate', hr: 'certifikat poslužitelja' }
const CA = { en: 'local CA', hr: 'lokalni izdavatelj certifikata (CA)' }

/** Whether firmware can trust who answers it: the certificate of the TLS listener, and the CA that firmware has pinned. */
export function serverCertificateChecks(certificates: ServedCertificates, clock: Clock): HealthCheck[] {
  if (!certificates.areLocal) return [{ name: SERVER, run: async () => [await ownCheck(certificates, clock.now())] }]
  return [{ name: CA, run: () => localChecks(certificates, clock.now()) }]
}

async function ownCheck(certificates: ServedCertificates, now: EpochMs): Promise<Check> {
  const fix = {
    en: 'bring a new one (FISKD_TLS_CERT, FISKD_TLS_KEY) and restart fiskd',
    hr: 'postavite novi (FISKD_TLS_CERT, FISKD_TLS_KEY) i ponovno pokrenite fiskd',
  }
  const own = await certificates.server()
  if ('unreadable' in own) return failure(SERVER, unreadable(own), fix)
  if (!own.hasItsKey) {
    const detail = {
      en: `${own.keyPath} is not the key of ${own.path}`,
      hr: `${own.keyPath} nije ključ certifikata ${own.path}`,
    }
    return failure(SERVER, detail, fix)
  }
  return validityCheck(SERVER, own, { now, warnUnderDays: WARN_UNDER_DAYS.own, fix })
}

async function localChecks(certificates: ServedCertificates, now: EpochMs): Promise<Check[]> {
  const authority = await certificates.localCa()
  if ('unreadable' in authority) {
    const fix = {
      en: `restore ${authority.path} from a backup of the data directory: every client trusts it`,
      hr: `vratite ${authority.path} iz sigurnosne kopije podatkovne mape: njemu vjeruju svi klijenti`,
    }
    return [failure(CA, unreadable(authority), fix), skippedAfter(SERVER, CA)]
  }
  const again = {
    en: 'restart fiskd when it has ended, and have every client trust the new ca.pem',
    hr: 'kad istekne, ponovno pokrenite fiskd i na svim klijentima prihvatite novi ca.pem',
  }
  const ofCa = authority.hasItsKey
    ? validityCheck(CA, authority, { now, warnUnderDays: WARN_UNDER_DAYS.authority, fix: again })
    : warning(
        CA,
        {
          en: `${authority.keyPath} is not its key: no new server certificate can be made`,
          hr: `${authority.keyPath} nije njegov ključ: novi certifikat poslužitelja ne može se izraditi`,
        },
        {
          en: `restore ${authority.keyPath} from a backup of the data directory`,
          hr: `vratite ${authority.keyPath} iz sigurnosne kopije podatkovne mape`,
        },
      )
  return [ofCa, await localServerCheck(certificates, now)]
}

async function localServerCheck(certificates: ServedCertificates, now: EpochMs): Promise<Check> {
  const server = await certificates.server()
  if ('unreadable' in server) return failure(SERVER, unreadable(server), RESTART)
  const faults: [boolean, Both][] = [
    [!server.hasItsKey, { en: `${server.keyPath} is not its key`, hr: `${server.keyPath} nije njegov ključ` }],
    [
      !server.isIssuedByLocalCa,
      {
        en: 'the local CA, which clients trust, has not issued it',
        hr: 'nije ga izdao lokalni CA kojem klijenti vjeruju',
      },
    ],
    [
      server.missingNames.length > 0,
      {
        en: `it lacks ${server.missingNames.join(', ')}: clients refuse it there`,
        hr: `ne sadrži ${server.missingNames.join(', ')}: klijenti ga na tim adresama odbijaju`,
      },
    ],
  ]
  const fault = faults.find(([isThere]) => isThere)
  if (fault) return failure(SERVER, fault[1], RESTART)
  return validityCheck(SERVER, server, { now, warnUnderDays: WARN_UNDER_DAYS.local, fix: RESTART })
}

const unreadable = ({ path }: { path: string }): Both => ({
  en: `${path} cannot be read`,
  hr: `${path} ne može se pročitati`,
})

function validityCheck(
  name: Both,
  { validFrom: from, validTo }: CertificateFile,
  { now, warnUnderDays, fix }: { now: EpochMs; warnUnderDays: number; fix: Both },
): Check {
  if (now > validTo) {
    const detail = {
      en: `it expired ${day(validTo)}: clients refuse it`,
      hr: `istekao je ${day(validTo)}: klijenti ga odbijaju`,
    }
    return failure(name, detail, fix)
  }
  if (now < from) {
    const clock = { en: 'look at the clock of this machine', hr: 'provjerite sat ovog računala' }
    return warning(name, validFrom(from), clock)
  }
  const days = daysUntil(validTo, now)
  const left = validUntil(validTo, days)
  return days < warnUnderDays ? warning(name, left, fix) : fine(name, left)
}
