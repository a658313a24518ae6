import { ALERT_KINDS, ALERT_STATES, offersToSend, UNCONFIRMED } from '../../domain/alert.ts'
import { notFound } from '../../domain/errors.ts'
import { parseInstant } from '../../domain/instant.ts'
import { UNPROVEN_JIR } from '../../domain/sale/invoice.ts'
import { EXTENDED_WORKING_DAYS } from '../../domain/working-days.ts'
import type { AlertView } from '../../fiscal/alerts/alerts.ts'
import { readSlice, writeCursor } from '../../fiscal/list-cursor.ts'
import { LOCAL_GATEWAY } from '../../fiscal/ports/model.ts'
import type { Keep } from '../../fiscal/sales/idempotency.ts'
import type { ExtendedDeadline } from '../../fiscal/sales/legal-deadline.ts'
import { listFiles } from '../addresses.ts'
import { type DashboardDeps, OPERATOR, type Pages } from '../page-routes.ts'
import { alertKinds } from './kinds.ts'
import { texts } from './texts.ts'
import { linksOf, viewOf } from './view.ts'

const LIST = '/dashboard/alerts'

/** A gateway's own deadline is extended there. */
const isExtendable = ({ kind, gatewayId, resolvedAt, detail: { since, working_days } }: AlertView) =>
  gatewayId === LOCAL_GATEWAY &&
  resolvedAt === null &&
  UNCONFIRMED.some((one) => one === kind) &&
  since !== undefined &&
  working_days !== EXTENDED_WORKING_DAYS

/** The list of alerts, the page of an alert, and its acknowledgement. */
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
    return context.show('alerts/detail', { title: alert.title, t, ...it, canExtend: isExtendable(found) })
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
