import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import {
  AlertDetailsSchema,
  AlertSchema,
  ExtendedDeadlineSchema,
  type TestMailsView,
} from '../../contract/admin/alerts.ts'
import { Closed, IdParams } from '../../contract/common.ts'
import { PAGE } from '../../contract/list.ts'
import { ALERT_KINDS, ALERT_STATES, alertState, severityOf } from '../../domain/alert.ts'
import type { AlertDetails, AlertUseCases, AlertView as NamedAlert } from '../../fiscal/alerts/alerts.ts'
import { readSlice } from '../../fiscal/list-page.ts'
import { pageList, view } from '../views/view.ts'
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

const ExtendBody = Closed({
  company_id: Type.String({ maxLength: ADMIN_BOUNDS.keyName.most }),
  reason: Type.String({ maxLength: ADMIN_BOUNDS.reason.most }),
})

export const alertRoutes: FastifyPluginAsyncTypebox<{ useCases: AlertUseCases }> = async (app, { useCases }) => {
  app.get('/alerts', {
    schema: { querystring: AlertQuery },
    handler: async ({ principal, query: { state, kind, ...page } }) =>
      pageList('alerts', await useCases.list(principal, { state, kind }, readSlice('alerts', page)), alertView),
  })

  app.get('/alerts/:id', { schema: { params: IdParams } }, async ({ principal, params }) =>
    detailsView(await useCases.get(principal, params.id.toLowerCase())),
  )

  app.post('/alerts/:id/acknowledge', { schema: { params: IdParams } }, async ({ principal, params }) =>
    alertView(await useCases.acknowledge(principal, params.id.toLowerCase())),
  )

  app.post('/deadlines/extend', {
    schema: { body: ExtendBody },
    handler: async ({ principal, body: { company_id, reason } }) => {
      const extended = await useCases.extendDeadline(principal, { companyId: company_id.toLowerCase(), reason })
      return view(ExtendedDeadlineSchema, extended)
    },
  })

  app.post(
    '/alerts/test',
    { schema: { body: TestBody } },
    async ({ principal, body }): Promise<TestMailsView> => ({
      mails: await useCases.sendTest(principal, body.to),
    }),
  )
}

const facts = (alert: NamedAlert) => ({ ...alert, severity: severityOf(alert), state: alertState(alert) })

const alertView = (alert: NamedAlert) => view(AlertSchema, facts(alert))

const detailsView = ({ notices, ...alert }: AlertDetails) => view(AlertDetailsSchema, { ...facts(alert), notices })
