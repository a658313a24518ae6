import { ALERT_KINDS, ALERT_STATES, alertState, offersToSend, severityOf, UNCONFIRMED } from '../../domain/alert.ts'
import { alertWords } from '../../domain/alert-texts/alert-texts.ts'
import { notFound } from '../../domain/errors.ts'
import { parseInstant } from '../../domain/instant.ts'
import { UNPROVEN_JIR } from '../../domain/sale/invoice.ts'
import { EXTENDED_WORKING_DAYS } from '../../domain/working-days.ts'
import type { AlertView } from '../../fiscal/alerts/alerts.ts'
import { readSlice, writeCursor } from '../../fiscal/list-page.ts'
import { type JsonObject, type Language, LOCAL_GATEWAY } from '../../fiscal/ports/model.ts'
import type { Keep } from '../../fiscal/sales/idempotency.ts'
import type { ExtendedDeadline } from '../../fiscal/sales/legal-deadline.ts'
import { eachOf, momentCell } from '../../reports/tables/cells.ts'
import { addressOf } from '../addresses.ts'
import { machinesIn } from '../devices/filter.ts'
import { INVOICE_ID, UUID } from '../ids.ts'
import { stateCell } from '../lists/cells.ts'
import { cursorPager, inPages, type List, showList } from '../lists/list.ts'
import { type DashboardDeps, OPERATOR, type PageContext, type Pages } from '../page-routes.ts'
import { alertKind } from './kinds.ts'
import { texts } from './texts.ts'

const LIST = '/dashboard/alerts'

/** A gateway's own deadline is extended there. */
const isExtendable = ({ kind, gatewayId, resolvedAt, detail: { since, working_days } }: AlertView) =>
  gatewayId === LOCAL_GATEWAY &&
  resolvedAt === null &&
  UNCONFIRMED.some((one) => one === kind) &&
  since !== undefined &&
  working_days !== EXTENDED_WORKING_DAYS

type Row = ReturnType<typeof viewOf> & Pick<AlertView, 'kind'>

export async function alertList({ office: { alerts }, role }: DashboardDeps, context: PageContext): Promise<List<Row>> {
  const { language, query, principal } = context
  const t = texts[language]
  const state = ALERT_STATES.find((one) => one === query.state) ?? 'open'
  const filter = { state, kind: ALERT_KINDS.find((one) => one === query.kind) }
  const rowOf = (alert: AlertView): Row => ({ ...viewOf(alert, language), kind: alert.kind })
  const { items, next } = await alerts.list(principal, filter, readSlice('alerts', query))
  const mayAct = state === 'open' && context.may('operator')
  const kinds = ALERT_KINDS.map((value) => ({ value, text: alertKind(value, language) }))
  return {
    title: t.title,
    path: LIST,
    query,
    about: `${t.about} ${t.statesMean[state]}`,
    none: t.none[state],
    rows: items.map(rowOf),
    all: () =>
      eachOf(
        inPages((slice) => alerts.list(principal, filter, slice)),
        rowOf,
      ),
    file: 'alerts',
    columns: [
      {
        title: t.severity,
        cell: ({ severity }) => t.severities[severity],
        page: ({ badge, severity }) => stateCell({ kind: badge, text: t.severities[severity] }),
        place: 'm4 c-state',
      },
      {
        title: t.what,
        cell: ({ title, what }) => `${title}. ${what}`,
        page: ({ title, id }) => ({ text: title, href: `${LIST}/${id}` }),
        place: 'm1',
      },
      { title: t.kind, cell: ({ kind }) => alertKind(kind, language) },
      { title: t.state, cell: (alert) => t.stateIs[alert.state] },
      { title: t.since, cell: ({ raisedAt }) => momentCell(raisedAt), place: 'm2 c-when' },
      { title: t.acknowledged, cell: ({ acknowledgedAt }) => momentCell(acknowledgedAt) },
      { title: t.acknowledgedBy, cell: ({ acknowledgedBy }) => acknowledgedBy },
      { title: t.resolved, cell: ({ resolvedAt }) => momentCell(resolvedAt) },
      {
        title: t.gateway,
        cell: ({ gateway }) => gateway,
        ...(role === 'server' && { place: 'rank2 c-co' }),
      },
      { title: t.todo, cell: ({ todo }) => todo },
      { title: t.recordId, cell: ({ id }) => id },
      mayAct && {
        title: t.acknowledge,
        page: ({ id, title }) => ({
          button: { action: `${LIST}/${id}/acknowledge`, text: t.acknowledge, label: `${t.acknowledge}: ${title}` },
        }),
        place: 'rank2 c-when',
      },
    ],
    tabs: ALERT_STATES.map((one) => ({
      text: t.states[one],
      href: addressOf(LIST, { state: one, kind: filter.kind }),
      isPresent: one === state,
    })),
    filters: [{ name: 'kind', title: t.kind, entries: kinds }],
    pager: cursorPager(LIST, query, next && writeCursor('alerts', next)),
  }
}

export function alertPages(pages: Pages, deps: DashboardDeps): void {
  const { alerts } = deps.office
  pages.get('/alerts', async (context) => showList(context, await alertList(deps, context)))

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
