import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { AlertDetailsView, AlertView, TestMailsView } from '../../contract/admin/alerts.ts'
import { Closed, IdParams } from '../../contract/common.ts'
import { PAGE } from '../../contract/list.ts'
import { ALERT_KINDS, ALERT_STATES, alertState, severityOf } from '../../domain/alert.ts'
import { formatInstant } from '../../domain/instant.ts'
import type { AlertDetails, AlertUseCases, AlertView as NamedAlert } from '../../fiscal/alerts/read-alerts.ts'
import { readSlice } from '../../fiscal/list-cursor.ts'
import { pageList } from '../views/list.ts'
import { moment } from '../views/moment.ts'
import { ADMIN_BOUNDS } from './bounds.ts'

const AlertQuery = Closed({
  ...PAGE,
  state: Type.Optional(Type.Enum(ALERT_STATES)),
  kind: Type.Optional(Type.Enum(ALERT_KINDS)),
})
const TestBody = Closed({
  to: Type.Optional(
    Type.String({ maxLength: ADMIN_BOUNDS.email.most, description: 'Everybody who is told without it' }),
  ),
})

/** The alerts. */
export const alertRoutes: FastifyPluginAsyncTypebox<{ useCases: AlertUseCases }> = async (app, { useCases }) => {
  app.get('/alerts', {
    schema: { querystring: AlertQuery },
    handler: async ({ principal, query: { state, kind, ...page } }) =>
      pageList('alerts', await useCases.list(principal, { state, kind }, readSlice('alerts', page)), alertView),
  })

  app.get('/alerts/:id', {
    schema: { params: IdParams },
    handler: async ({ principal, params }) => detailsView(await useCases.get(principal, params.id.toLowerCase())),
  })

  app.post('/alerts/:id/acknowledge', {
    schema: { params: IdParams },
    handler: async ({ principal, params }) => alertView(await useCases.acknowledge(principal, params.id.toLowerCase())),
  })

  app.post('/alerts/test', {
    schema: { body: TestBody },
    handler: async ({ principal, body }): Promise<TestMailsView> => ({
      mails: await useCases.sendTest(principal, body.to),
    }),
  })
}

function alertView(alert: NamedAlert): AlertView {
  const { id, kind, subject, gateway, detail, raisedAt, acknowledgedAt, acknowledgedBy, resolvedAt } = alert
  return {
    id,
    kind,
    severity: severityOf(alert),
    state: alertState(alert),
    subject,
    gateway,
    detail,
    raised_at: formatInstant(raisedAt),
    acknowledged_at: moment(acknowledgedAt),
    acknowledged_by: acknowledgedBy,
    resolved_at: moment(resolvedAt),
  }
}

function detailsView({ notices, ...alert }: AlertDetails): AlertDetailsView {
  return {
    ...alertView(alert),
    notices: notices.map(({ recipient, status, sentAt }) => ({ recipient, status, sent_at: moment(sentAt) })),
  }
}
