import type { Overview } from '../../fiscal/office/overview.ts'
import type { Formats } from '../formats.ts'
import type { OverviewTexts } from './texts.ts'

/** Can everything sell right now? */
export function readinessOf({ own, gateways, authority }: Overview, t: OverviewTexts, f: Formats) {
  const { total, able } = own.devices
  // One that was revoked, has left or was never set up is not meant to sell.
  const meant = (gateways ?? []).filter(({ state }) => ['connected', 'silent', 'duplicated'].includes(state))
  const selling = meant.filter(({ gateway, state }) => state === 'connected' && gateway.heartbeat?.can_sell === true)
  const silent = meant.filter(({ state }) => state === 'silent')
  const away = authority && !authority.health.reachable ? [authority.closedByTimetable ? t.closed : t.away] : []
  // What has to be known beside it.
  const notes = [...(silent.length > 0 ? [t.readiness.unknown] : []), ...(able + selling.length > 0 ? away : [])]
  const told = (kind: 'ok' | 'warn' | 'bad' | 'plain', ...texts: string[]) => ({
    kind,
    text: texts.join(' '),
    notes,
  })
  if (total === 0 && meant.length === 0) return told(own.problems.length > 0 ? 'warn' : 'plain', t.readiness.nothing)
  if (able === total && selling.length === meant.length && own.problems.length === 0) return told('ok', t.readiness.all)
  if (able === 0 && selling.length === 0 && silent.length === 0) return told('bad', t.readiness.none)
  return told(
    'warn',
    ...(meant.length > 0 ? [t.readiness.gateways(f.count(selling.length), f.count(meant.length))] : []),
    ...(total > 0 ? [t.readiness.some(f.count(able), f.count(total))] : []),
  )
}
