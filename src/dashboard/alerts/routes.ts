import { ALERT_KINDS, ALERT_STATES, offersToSend } from '../../domain/alert.ts'
import { UNPROVEN_JIR } from '../../domain/sale/invoice.ts'
import type { AlertView } from '../../fiscal/alerts/read-alerts.ts'
import { readSlice, writeCursor } from '../../fiscal/list-cursor.ts'
import { listFiles } from '../addresses.ts'
import type { DashboardDeps, Pages } from '../page-routes.ts'
import { alertKinds } from './kinds.ts'
import { texts } from './texts.ts'
import { linksOf, viewOf } from './view.ts'

const LIST = '/dashboard/alerts'

/** The list of alerts, the page of an alert, and its acknowledgement. */
export function alertPages(pages: Pages, { office: { alerts } }: Pick<DashboardDeps, 'office'>): void {
  pages.get('/alerts', async (context) => {
    const { language, query, principal } = context
    const t = texts[language]
    const state = ALERT_STATES.find((one) => one === query.state) ?? 'open'
    const kind = ALERT_KINDS.find((one) => one === query.kind)
    const { items, next } = await alerts.list(principal, { state, kind }, readSlice('alerts', { cursor: query.cursor }))
    const here = `${LIST}?${new URLSearchParams({ state, ...(kind && { kind }) })}`
    return context.show('alerts/list', {
      title: t.title,
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
    return context.show('alerts/detail', { title: alert.title, t, ...it })
  })

  pages.post(
    '/alerts/:id/acknowledge',
    ({ once, principal, params: { id = '' } }) =>
      once<AlertView>((keep) => alerts.acknowledge(principal, id, keep), {
        to: `${LIST}/${encodeURIComponent(id)}`,
        notice: 'alert_acknowledged',
      }),
    { role: 'operator' },
  )
}
