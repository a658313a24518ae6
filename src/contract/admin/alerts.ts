import * as Type from 'typebox'
import { ALERT_STATES, SEVERITIES } from '../../domain/alert.ts'
import { Anything, Moment, Nullable, Rows, Titled } from '../common.ts'

const alert = {
  id: Type.String(),
  kind: Type.String({ description: 'Newer gateways may tell of kinds that are not known here' }),
  severity: Type.Enum(SEVERITIES),
  state: Type.Enum(ALERT_STATES),
  subject: Type.String(),
  gateway: Nullable(Type.String({ description: 'The gateway that told of it; null for our own' })),
  detail: Anything,
  raised_at: Moment,
  acknowledged_at: Nullable(Moment),
  acknowledged_by: Nullable(Type.String()),
  resolved_at: Nullable(Moment),
}

export const AlertSchema = Type.Object(alert, { title: 'Alert' })
export type AlertView = Type.Static<typeof AlertSchema>

export const AlertDetailsSchema = Titled('AlertDetails', {
  ...alert,
  notices: Type.Array(Type.Object({ recipient: Type.String(), status: Type.String(), sent_at: Nullable(Moment) })),
})

export const TestMailsSchema = Titled('TestMails', {
  mails: Rows({
    to: Type.String(),
    sent: Type.Boolean(),
    answer: Type.String({ description: 'What the mail server said, or why nothing came of it' }),
  }),
})

/** The legal deadline of a company after the break of its connection `since` then. */
export const ExtendedDeadlineSchema = Titled('ExtendedDeadline', {
  company_id: Type.String(),
  since: Moment,
  deadline_at: Moment,
})
export type TestMailsView = Type.Static<typeof TestMailsSchema>
