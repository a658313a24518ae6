import { setImmediate } from 'node:timers/promises'
import type { AlertKind } from '../../domain/alert.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { CreatingContext } from '../context.ts'
import type { Lease } from '../lease.ts'
import type { Alert } from '../ports/alerts.ts'
import type { JsonObject } from '../ports/model.ts'
import type { StoreTransaction } from '../ports/store.ts'

export interface Finding {
  tenantId: string
  kind: AlertKind
  /** Unique among all tenants: there is at most one unresolved alert of a kind and a subject. */
  subject: string
  detail: JsonObject
  /** Called in the transaction that raises it; returns the detail, or null when an earlier alert covers it. */
  ask?: (tx: StoreTransaction) => Promise<JsonObject | null>
}

export interface Findings {
  found: Finding[]
  /** Whether the alert stays because it is unknown if the problem still exists; not asked for problems in `found`. */
  isUnclear?: (alert: Alert) => boolean
}

/** Maintains some kinds of alerts; an alert that `look` no longer finds is resolved. */
export interface Rule {
  kinds: readonly AlertKind[]
  /** @param open the unresolved alerts of its kinds */
  look(now: EpochMs, open: readonly Alert[]): Promise<Findings>
}

export type AlertNews = Pick<Alert, 'kind' | 'subject' | 'detail'>

export interface AlertWatchDeps extends CreatingContext {
  /** Only one of several processes runs the rules. */
  lease: Lease
  rules: readonly Rule[]
  /** Called once for each alert. */
  onRaised: (news: AlertNews) => void
  onResolved: (news: AlertNews) => void
  /** Called when a rule failed; the other rules still run. */
  reportFault: (kinds: readonly AlertKind[], error: unknown) => void
}

/** When the clock is set back by minutes, alerts must not be resolved and raised again. */
const STEP_BACK_MS = 3_600_000

/**
 * One pass over the rules: each problem becomes one alert, which is resolved when the problem ends. The changes of a
 * rule are one transaction, so after a crash either all or none are stored, and the next pass finds the same.
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
      // Let waiting sales run.
      await setImmediate()
    }
  }
}

async function look(deps: AlertWatchDeps, rule: Rule, now: EpochMs, open: readonly Alert[]): Promise<void> {
  const isOurs = ({ kind }: Alert) => (rule.kinds as readonly string[]).includes(kind)
  const mine = open.filter(isOurs)
  const findings = await rule.look(now, mine)
  if (isEmpty(compare(mine, findings))) return
  const { raised, resolved } = await deps.store.transaction(async (tx) => {
    // Other code raises and resolves alerts, too, so compare again inside the transaction.
    const changes = compare((await tx.alerts.open(null)).filter(isOurs), findings)
    return applyChanges(tx, changes, now, deps.newUuid)
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
const isEmpty = ({ raise, restate, resolve }: Changes) => raise.length + restate.length + resolve.length === 0

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

async function applyChanges(
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
