import { ALERT_KINDS, ALERT_STATES, alertState, offersToSend, severityOf, UNCONFIRMED } from '../../domain/alert.ts'
import { alertWords } from '../../domain/alert-texts/alert-texts.ts'
import { notFound } from '../../domain/errors.ts'
import { parseInstant } from '../../domain/instant.ts'
import { UNPROVEN_JIR } from '../../domain/sale/invoice.ts'
import { EXTENDED_WORKING_DAYS } from '../../domain/working-days.ts'
import type { AlertView } from '../../fiscal/alerts/alerts.ts'
import { readSlice, writeCursor } from '../../fiscal/list-cursor.ts'
import { type JsonObject, type Language, LOCAL_GATEWAY } from '../../fiscal/ports/model.ts'
import type { Keep } from '../../fiscal/sales/idempotency.ts'
import type { ExtendedDeadline } from '../../fiscal/sales/legal-deadline.ts'
import { listFiles } from '../addresses.ts'
import { machinesIn } from '../devices/addresses.ts'
import { INVOICE_ID, UUID } from '../ids.ts'
import { type DashboardDeps, OPERATOR, type Pages } from '../page-routes.ts'
import { alertKinds } from './kinds.ts'
import { texts } from './texts.ts'

const LIST = '/dashboard/alerts'

/** A gateway's own deadline is extended there. */
const isExtendable = ({ kind, gatewayId, resolvedAt, detail: { since, working_days } }: AlertView) =>
  gatewayId === LOCAL_GATEWAY &&
  resolvedAt === null &&
  UNCONFIRMED.some((one) => one === kind) &&
  since !== undefined &&
  working_days !== EXTENDED_WORKING_DAYS

export function alertPages(pages: Pages, { office: { alerts } }: DashboardDeps): void {
  pages.get('/alerts', async (context) => {
    const { language, query, principal } = context
    const t = texts[language]
    const state = ALERT_STATES.find((one) => one === query.state) ?? 'open'
    const kind = ALERT_KINDS.find((one) => one === query.kind)
    const { items, next } = await alerts.list(principal, { state, kind }, readSlice('alerts', { cursor: query.cursor }))
    const here = `${LIST}?${new URLSearchParams({ state, ...(kind && { kind }) })}`
    return context.show('alerts/list', {
      t,
      state,
      states: ALERT_STATES,
      kinds: [
        { value: '', text: t.allKinds },
        ...ALERT_KINDS.map((value) => ({ value, text: alertKinds[language](value) })),
      ],
      kind: kind ?? '',
      files: listFiles('alerts', { state, kind }),
      alerts: items.map((alert) => viewOf(alert, language)),
      next: next && `${here}&cursor=${writeCursor('alerts', next)}`,
      first: query.cursor === undefined ? null : here,
    })
  })

  pages.get('/alerts/:id', async (context) => {
    const t = texts[context.language]
    const found = await alerts.get(context.principal, context.params.id ?? '')
    const alert = viewOf(found, context.language)
    const endsWhenKnown = found.kind === 'invoices_expired'
    const sendAgain = offersToSend(found) && alert.state !== 'resolved' ? UNPROVEN_JIR : null
    const it = { alert, links: linksOf(found, t), notices: found.notices, endsWhenKnown, sendAgain }
    const badges = [
      { kind: alert.badge, text: t.severities[alert.severity] },
      { kind: alert.state === 'resolved' ? 'ok' : 'plain', text: t.stateIs[alert.state] },
    ]
    const head = { title: alert.title, crumb: { href: LIST, text: t.title }, badges }
    return context.show('alerts/detail', { ...head, t, ...it, canExtend: isExtendable(found) })
  })

  pages.post('/alerts/:id/extend', OPERATOR, async ({ once, principal, form, params: { id = '' } }) => {
    const work = async (keep: Keep<ExtendedDeadline>) => {
      const found = await alerts.get(principal, id)
      if (!isExtendable(found)) throw notFound('id', 'this alert has no deadline to extend')
      const { company_id, since } = found.detail
      const order = { companyId: String(company_id), reason: form.reason ?? '', since: parseInstant(String(since)) }
      return alerts.extendDeadline(principal, order, keep)
    }
    return once<ExtendedDeadline>(work, { to: `${LIST}/${encodeURIComponent(id)}`, notice: 'deadline_extended' })
  })

  pages.post('/alerts/:id/acknowledge', OPERATOR, ({ once, principal, params: { id = '' } }) =>
    once<AlertView>((keep) => alerts.acknowledge(principal, id, keep), {
      to: `${LIST}/${encodeURIComponent(id)}`,
      notice: 'alert_acknowledged',
    }),
  )
}

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
    ...(kind === 'machine_silent' ? [{ href: machinesIn('stopped'), text: t.silentDevices }] : []),
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
