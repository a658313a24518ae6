import { daysUntil } from '../../domain/certificate.ts'
import { type Check, failure, fine, warning } from '../../domain/check.ts'
import { type EpochMs, formatInstant } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Clock } from '../ports/clock.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { TrustCare } from '../ports/trust.ts'
import { modesInUse } from '../registry/modes-in-use.ts'
import { few, type HealthCheck } from './doctor.ts'

interface Deps {
  store: Pick<StoreTransaction, 'companies'>
  trust: TrustCare
  clock: Clock
  deploymentMode: Mode
}

const EXPIRING_UNDER_DAYS = 60

/** Whether the trust bundles have the necessary certificates, now and at the next start. */
export function trustChecks({ store, trust, clock, deploymentMode }: Deps): HealthCheck[] {
  return [{ name: 'trust', run: examine }]

  async function examine(): Promise<Check[]> {
    const modes = await modesInUse(store, deploymentMode)
    return modes.flatMap((mode) => [bundleCheck(mode, trust, clock.now()), listsCheck(mode, trust, clock.now())])
  }
}

function bundleCheck(mode: Mode, trust: TrustCare, now: EpochMs): Check {
  const name = `trust ${mode}`
  const fetch = `fisk trust fetch --mode ${mode}, or without a network: fisk trust add --mode ${mode} FILE`
  const fileProblem = trust.fileProblem(mode)
  if (fileProblem !== null) return failure(name, fileProblem, `write it again: ${fetch}`)
  const certificates = trust.list(mode)
  if (certificates.length === 0) {
    return failure(name, `the CA certificates of the ${mode} service are not installed`, fetch)
  }
  const known = trust.known(mode)
  const isKnown = certificates.some(({ fingerprint }) => known.some((one) => one.fingerprint === fingerprint))
  if (known.length > 0 && !isKnown) {
    const names = known.map((one) => one.name).join(', ')
    return warning(name, `none of its certificates is one that CIS is known to use: ${names}`, fetch)
  }
  const ending = certificates.filter(({ notAfter }) => daysUntil(notAfter, now) <= EXPIRING_UNDER_DAYS)
  if (ending.length > 0) {
    const when = ending.map(
      ({ subject, notAfter }) => `${subject} ${notAfter < now ? 'ended' : 'ends'} ${day(notAfter)}`,
    )
    return warning(name, few(when), `add the certificate that replaces it: fisk trust add --mode ${mode} FILE`)
  }
  const first = Math.min(...certificates.map(({ notAfter }) => notAfter))
  return fine(name, `${certificates.length} CA certificates, the first one ends ${day(first)}`)
}

function listsCheck(mode: Mode, trust: TrustCare, now: EpochMs): Check {
  const name = `revocations ${mode}`
  const lists = trust.revocationLists(mode)
  const old = lists.filter(({ nextUpdate }) => nextUpdate !== null && nextUpdate < now)
  if (old.length === 0) return fine(name, lists.length === 0 ? 'no list is installed' : `${lists.length} current`)
  const issuers = old.map(
    ({ issuer, nextUpdate }) => `the list of ${issuer} was to be renewed ${day(nextUpdate ?? now)}`,
  )
  return warning(name, few(issuers), `bring the new list: fisk trust add --mode ${mode} FILE`)
}

const day = (at: EpochMs) => formatInstant(at).slice(0, 10)
