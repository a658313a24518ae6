import { setImmediate } from 'node:timers/promises'
import type { AlertKind } from '../../domain/alert.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { Lease } from '../lease.ts'
import type { Alert } from '../ports/alerts.ts'
import type { Clock } from '../ports/clock.ts'
import type { JsonObject } from '../ports/model.ts'
import type { Store, StoreTransaction } from '../ports/store.ts'

/** Something that is wrong now. */
export interface Finding {
  tenantId: string
  kind: AlertKind
  /** Of all tenants, only one alert of a kind and a subject goes on at a time. */
  subject: string
  detail: JsonObject
  /** Asked in the transaction that raises it: what to say of it, or null when people know of it already. */
  ask?: (tx: StoreTransaction) => Promise<JsonObject | null>
}

export interface Findings {
  found: Finding[]
  /** Whether nobody can tell at the moment if an alert still holds: it is left as it is. Of what is found it need not know. */
  isUnclear?: (alert: Alert) => boolean
}

/** Looks after some kinds of alerts: what it no longer finds is over. */
export interface Rule {
  kinds: readonly AlertKind[]
  /** @param open the alerts of its kinds that go on */
  look(now: EpochMs, open: readonly Alert[]): Promise<Findings>
}

export type AlertNews = Pick<Alert, 'kind' | 'subject' | 'detail'>

export interface AlertWatchDeps {
  store: Store
  clock: Clock
  newUuid: () => string
  /** Of several processes one looks. */
  lease: Lease
  rules: readonly Rule[]
  /** Told once each. */
  onRaised: (news: AlertNews) => void
  onResolved: (news: AlertNews) => void
  /** A rule could not be looked at; the others were. */
  reportFault: (kinds: readonly AlertKind[], error: unknown) => void
}

/** A clock that is set right by some minutes must not take back what was told and tell it again. */
const STEP_BACK_MS = 3_600_000

/**
 * One pass: what is wrong becomes an alert, once, until it is right again. Each rule's changes are one transaction, so
 * that a crash leaves either all of them or none, and the next pass finds the same.
 */
export function createAlertWatch(deps: AlertWatchDeps): () => Promise<void> {
  const { store, clock, lease, rules, reportFault } = deps
  let latest = Number.NEGATIVE_INFINITY
  return async () => {
    if (!(await lease.hold())) return
    const shown = clock.now()
    const now = latest - shown < STEP_BACK_MS ? Math.max(latest, shown) : shown
    latest = now
    const open = await store.alerts.open(null)
    for (const rule of rules) {
      await look(deps, rule, now, open).catch((error: unknown) => reportFault(rule.kinds, error))
      // Sales have their turn.
      await setImmediate()
    }
  }
}

async function look(deps: AlertWatchDeps, rule: Rule, now: EpochMs, open: readonly Alert[]): Promise<void> {
  const isOurs = ({ kind }: Alert) => (rule.kinds as readonly string[]).includes(kind)
  const mine = open.filter(isOurs)
  const findings = await rule.look(now, mine)
  if (isSettled(compare(mine, findings))) return
  const { raised, resolved } = await deps.store.transaction(async (tx) => {
    // Others raise and end alerts, too.
    const changes = compare((await tx.alerts.open(null)).filter(isOurs), findings)
    return settle(tx, changes, now, deps.newUuid)
  })
  resolved.forEach(deps.onResolved)
  raised.forEach(deps.onRaised)
}

interface Changes {
  raise: Finding[]
  restate: { alert: Alert; detail: JsonObject }[]
  resolve: Alert[]
}

const keyOf = ({ kind, subject }: Pick<Alert, 'kind' | 'subject'>) => `${kind} ${subject}`
const isSettled = ({ raise, restate, resolve }: Changes) => raise.length + restate.length + resolve.length === 0

function compare(open: readonly Alert[], { found, isUnclear = () => false }: Findings): Changes {
  const wrong = new Map(found.map((finding) => [keyOf(finding), finding]))
  const known = new Set(open.map(keyOf))
  return {
    raise: found.filter((finding) => !known.has(keyOf(finding))),
    restate: open.flatMap((alert) => {
      const detail = wrong.get(keyOf(alert))?.detail
      return detail && JSON.stringify(detail) !== JSON.stringify(alert.detail) ? [{ alert, detail }] : []
    }),
    resolve: open.filter((alert) => !wrong.has(keyOf(alert)) && !isUnclear(alert)),
  }
}

async function settle(
  tx: StoreTransaction,
  { raise, restate, resolve }: Changes,
  now: EpochMs,
  newUuid: () => string,
): Promise<{ raised: AlertNews[]; resolved: AlertNews[] }> {
  const resolved: AlertNews[] = []
  const raised: AlertNews[] = []
  for (const alert of resolve) if (await tx.alerts.resolve(alert.kind, alert.subject, now)) resolved.push(alert)
  for (const { alert, detail } of restate) await tx.alerts.restate(alert.id, detail)
  for (const { ask, ...finding } of raise) {
    const detail = ask ? await ask(tx) : finding.detail
    const alert = { ...finding, id: newUuid(), detail: detail ?? {}, raisedAt: now }
    if (detail !== null && (await tx.alerts.raise(alert))) raised.push(alert)
  }
  return { raised, resolved }
}
