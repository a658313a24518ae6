import { type EpochMs, formatInstant } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { Clock } from '../ports/clock.ts'
import { DEFAULT_TENANT } from '../ports/rows/access.ts'
import type { StoreTransaction } from '../ports/store.ts'
import type { TaxAuthority } from '../ports/tax-authority.ts'
import { modesInUse } from '../registry/modes-in-use.ts'
import { isUnreachable } from '../sales/submit.ts'
import type { Finding, Rule } from './alert-watch.ts'

/** The last result of contacting the tax authority, per mode. */
export interface AuthoritySightings {
  /** Wraps an authority so that its results are recorded here. */
  watching<A extends TaxAuthority>(authority: A): A
  /** Since when it has not answered; null when the last request was answered, undefined before the first request. */
  downSince(mode: Mode): EpochMs | null | undefined
}

export function createSightings(clock: Clock): AuthoritySightings {
  const since = new Map<Mode, EpochMs | null>()
  const note = (mode: Mode, reached: boolean) => since.set(mode, reached ? null : (since.get(mode) ?? clock.now()))
  return {
    watching: (authority) => ({
      ...authority,
      async submit(message, sent) {
        const exchange = await authority.submit(message, sent)
        note(message.mode, !isUnreachable(exchange.outcome))
        return exchange
      },
      async echo(mode) {
        const probe = await authority.echo(mode)
        note(mode, probe.reachable)
        return probe
      },
    }),
    downSince: (mode) => since.get(mode),
  }
}

const DOWN_PATIENCE_MS = 3_600_000

export interface AuthorityRuleDeps {
  store: Pick<StoreTransaction, 'companies'>
  sightings: Pick<AuthoritySightings, 'downSince'>
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
        const since = sightings.downSince(mode)
        if (since === null) downMs.delete(mode)
        else unclear.add(mode)
        if (since === null || since === undefined) continue
        const before = downMs.get(mode)
        const counted = before === undefined ? 0 : before + (isClosed(mode, now) ? 0 : passed)
        // It may have answered and failed again while another process ran this rule.
        const lasting = Math.max(0, Math.min(counted, now - since))
        downMs.set(mode, lasting)
        // The failure may have started before this process.
        const told = open.find(({ subject }) => subject === mode)?.detail.since
        const detail = { mode, since: told ?? formatInstant(since) }
        if (lasting > DOWN_PATIENCE_MS)
          found.push({ tenantId: DEFAULT_TENANT, kind: 'cis_down', subject: mode, detail })
      }
      return { found, isUnclear: ({ subject }) => unclear.has(subject) }
    },
  }
}
