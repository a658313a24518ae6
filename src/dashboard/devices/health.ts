import { blockerWords, sayReported } from '../../domain/texts/blocker-texts.ts'
import type { Machine, Paper } from '../../fiscal/machines/machine.ts'
import type { Language } from '../../fiscal/ports/model.ts'
import type { Formats } from '../formats.ts'
import type { Badge } from '../lists/cells.ts'
import { type HealthTexts, healthTexts } from './health-texts.ts'

/**
 * Whether a machine can sell, in words: why not, or why that is not known; what to do about it; and where to do it, null
 * when it is not done on these pages.
 */
export function healthOf({ health, device, company, gateway }: Machine, language: Language, f: Formats) {
  const t = healthTexts[language]
  if (health.can === 'yes') return { badge: { kind: 'ok', text: t.can.yes }, why: null, todo: null, href: null }
  const badge: Badge = { kind: health.can === 'no' ? 'bad' : 'warn', text: t.can[health.can] }
  if (health.can === 'unknown') {
    const since = health.since === null ? '' : f.inText(health.since)
    const href = gateway === null ? null : `/dashboard/gateways/${encodeURIComponent(gateway)}`
    return { badge, why: t.unknown[health.cause](since), todo: t.unknownDo[health.cause], href }
  }
  const { cause, said } = health
  const pages: Record<(typeof PAGES)[keyof typeof PAGES], string> = {
    company: `/dashboard/companies/${encodeURIComponent(company.id)}`,
    device: `/dashboard/devices/${encodeURIComponent(device.id)}`,
    gateway: `/dashboard/gateways/${encodeURIComponent(gateway ?? '')}`,
  }
  const href = Object.hasOwn(PAGES, cause) ? pages[PAGES[cause as keyof typeof PAGES]] : null
  const isPutAway = cause === 'device_suspended' || cause === 'device_archived'
  const why = said === undefined ? t.stop[cause] : `${t.stop[cause]}: ${sayReported(said, language).what}`
  const todo = cause === 'gateway_stopped' ? t.atGateway : blockerWords(cause, { subject: device.label }, language)[1]
  return { badge: isPutAway ? { kind: 'plain', text: t.can.no } : badge, why, todo, href }
}

/** Where a cause is done away with. */
const PAGES = {
  device_suspended: 'device',
  device_archived: 'device',
  isu_missing: 'device',
  isu_mismatch: 'device',
  company_inactive: 'company',
  certificate_missing: 'company',
  certificate_revoked: 'company',
  certificate_of_other_oib: 'company',
  certificate_early: 'company',
  certificate_expired: 'company',
  certificate_untrusted: 'company',
  key_unreadable: 'company',
  gateway_stopped: 'gateway',
} as const

const PAPER_KINDS: Record<Paper, Badge['kind']> = {
  none: 'plain',
  ok: 'ok',
  low: 'warn',
  out: 'bad',
  fault: 'bad',
  unknown: 'plain',
}

/** Null without a printer. */
export function paperOf({ paper, receiptsLeft }: Machine, t: HealthTexts): Badge | null {
  if (paper === 'none') return null
  const left = receiptsLeft === null ? '' : `, ${t.receiptsLeft(receiptsLeft)}`
  return { kind: PAPER_KINDS[paper], text: `${t.papers[paper]}${left}` }
}
