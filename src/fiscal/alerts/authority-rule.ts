import { type EpochMs, formatInstant } from '../../domain/instant.ts'
import { isAnsweredUnproven } from '../../domain/sale/invoice.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { DEFAULT_TENANT } from '../ports/rows/access.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { TaxAuthority } from '../ports/tax-authority.ts'
import { modesInUse } from '../registry/modes-in-use.ts'
import { isUnreachable } from '../sales/submit.ts'
import type { Finding, Rule } from './alert-watch.ts'

export type AuthoritySightings = ReturnType<typeof createSightings>

/** The last result of contacting the tax authority in a mode. `since` and `latest` are moments of `elapsed`. */
interface Contact {
  reached: boolean
  /** The first contact of those in a row with this result, and the latest one. */
  since: number
  latest: number
  /** When the first sale was made that was sent in vain since; null before one. */
  soldAt: EpochMs | null
}

/**
 * What contacting the tax authority has come to. @param elapsed a monotonic clock in milliseconds
 * @param turned called with the first result of a mode, and with each one that differs from the one before
 */
export function createSightings(elapsed: () => number, turned: () => void = () => {}) {
  const contacts = new Map<Mode, Contact>()
  function note(mode: Mode, reached: boolean, soldAt: EpochMs | null): void {
    const latest = elapsed()
    const before = contacts.get(mode)
    const isNew = before?.reached !== reached
    const same = isNew ? { since: latest, soldAt } : { since: before.since, soldAt: before.soldAt ?? soldAt }
    contacts.set(mode, { reached, latest, ...same })
    if (isNew) turned()
  }
  return {
    /** Wraps an authority so that its results are recorded here. */
    watching: <A extends TaxAuthority>(authority: A): A => ({
      ...authority,
      async submit(message, sent) {
        const exchange = await authority.submit(message, sent)
        const { outcome } = exchange
        // An answer that is not believed came over the connection all the same.
        const isAnswered = outcome.kind === 'failed' && isAnsweredUnproven({ errorMessage: outcome.message })
        note(
          message.mode,
          isAnswered || !isUnreachable(outcome),
          message.lateDelivery ? null : message.document.occurredAt,
        )
        return exchange
      },
      async echo(mode) {
        const probe = await authority.echo(mode)
        note(mode, probe.reachable, null)
        return probe
      },
    }),
    /** Undefined before the first request. */
    contact: (mode: Mode): Contact | undefined => contacts.get(mode),
  }
}

const DOWN_PATIENCE_MS = 3_600_000

export interface AuthorityRuleDeps {
  store: StoreTransaction
  sightings: Pick<AuthoritySightings, 'contact'>
  /** Whether the service is closed according to its timetable; that time does not count. */
  isClosed: (mode: Mode, at: EpochMs) => boolean
  deploymentMode: Mode
  /** A monotonic clock in milliseconds; changes of the system clock do not move it. */
  elapsed: () => number
}

/** Raises an alert when the tax authority has not answered for more than an hour, in a mode that is in use. */
export function authorityRule(deps: AuthorityRuleDeps): Rule {
  const { store, sightings, isClosed, deploymentMode, elapsed } = deps
  const downMs = new Map<Mode, number>()
  let lookedAt = elapsed()
  return {
    kinds: ['cis_down'],
    async look(now, open) {
      const passed = elapsed() - lookedAt
      lookedAt += passed
      const found: Finding[] = []
      const unclear = new Set<string>()
      for (const mode of await modesInUse(store, deploymentMode)) {
        const contact = sightings.contact(mode)
        if (contact?.reached) downMs.delete(mode)
        else unclear.add(mode)
        if (!contact || contact.reached) continue
        const downFor = Math.round(elapsed() - contact.since)
        const before = downMs.get(mode)
        const counted = before === undefined ? 0 : before + (isClosed(mode, now) ? 0 : passed)
        // It may have answered and failed again while another process ran this rule.
        const lasting = Math.max(0, Math.min(counted, downFor))
        downMs.set(mode, lasting)
        // The failure may have started before this process.
        const told = open.find(({ subject }) => subject === mode)?.detail.since
        const detail = { mode, since: told ?? formatInstant(now - downFor) }
        if (lasting > DOWN_PATIENCE_MS)
          found.push({ tenantId: DEFAULT_TENANT, kind: 'cis_down', subject: mode, detail })
      }
      return { found, isUnclear: ({ subject }) => unclear.has(subject) }
    },
  }
}
