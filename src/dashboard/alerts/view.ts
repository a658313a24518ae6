import { alertState, severityOf } from '../../domain/alert.ts'
import { alertWords } from '../../domain/alert-texts/alert-texts.ts'
import type { AlertView } from '../../fiscal/alerts/alerts.ts'
import type { JsonObject, Language } from '../../fiscal/ports/model.ts'
import { SILENT } from '../devices/addresses.ts'
import { INVOICE_ID, UUID } from '../ids.ts'
import type { texts } from './texts.ts'

const BADGES = { urgent: 'bad', warning: 'warn', info: 'plain' } as const

/** An alert as the pages show it: in words, and with how loud it is. */
export function viewOf(alert: AlertView, language: Language) {
  const { id, raisedAt, acknowledgedAt, acknowledgedBy, resolvedAt, gateway } = alert
  const severity = severityOf(alert)
  const [state, badge] = [alertState(alert), BADGES[severity]]
  const moments = { raisedAt, acknowledgedAt, acknowledgedBy, resolvedAt }
  return { id, gateway, severity, badge, state, ...moments, ...alertWords(alert, language) }
}

/** Links to what an alert is about. Its detail may have come from a gateway: a malformed id gets no link. */
export function linksOf({ kind, subject, detail, gateway }: AlertView, t: (typeof texts)['hr']) {
  const invoices = idsOf(detail.invoices, INVOICE_ID).map((id, at) => ({
    href: `/dashboard/invoices/${id}`,
    text: t.invoice(at + 1),
  }))
  const devices = [...idsOf(detail.device_id), ...idsOf(detail.devices)]
  const gateways = kind.startsWith('gateway_') || kind === 'sync_refused' ? idsOf(subject) : []
  const schedules = kind === 'closings_not_mailed' && gateway === null
  const links = [
    ...(schedules ? [{ href: '/dashboard/closings/schedules', text: t.schedules }] : []),
    ...invoices,
    ...devices.map((id) => ({ href: `/dashboard/devices/${id}`, text: t.device })),
    ...(kind === 'machine_silent' ? [{ href: SILENT, text: t.silentDevices }] : []),
    ...companiesOf(kind, detail).map((id) => ({ href: `/dashboard/companies/${id}`, text: t.company })),
    ...gateways.map((id) => ({ href: `/dashboard/gateways/${id}`, text: t.gateway })),
  ]
  return links.length > 0 ? links : [{ href: '/dashboard', text: t.overview }]
}

/** The company of an alert about invoices is no place to go on at, unless a setting of it is the cause. */
function companiesOf(kind: string, { company_id, taxes_whole_total }: JsonObject): string[] {
  return kind.startsWith('certificate_') || taxes_whole_total === true ? idsOf(company_id) : []
}

const MOST = 10

function idsOf(value: unknown, pattern = UUID): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value]
  return values.flatMap((id) => (typeof id === 'string' && pattern.test(id) ? [id] : [])).slice(0, MOST)
}
