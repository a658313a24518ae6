import { AlertSchema, type AlertView, TestMailsSchema, type TestMailsView } from '../../contract/admin/alerts.ts'
import { ALERT_STATES } from '../../domain/alert.ts'
import { alertWords } from '../../domain/alert-texts/alert-texts.ts'
import type { Command, Flags, Given } from '../command.ts'
import { type PageOptions, pageOptions, type Rows, showPages } from '../daemon/lists.ts'
import type { Session } from '../session.ts'
import { clean, fields, paragraph } from '../text/columns.ts'
import { columnsOf } from '../text/csv.ts'
import type { Screen } from '../text/screen.ts'
import { localTime } from '../text/times.ts'
import { translate } from '../words/translate.ts'

export function register(program: Command, session: Session): void {
  const alert = program.command('alert').description('Alerts: what somebody should know, and the mails that tell it')
  alert
    .subcommand('list', 'List what somebody should know, the latest first.')
    .choice('--state <state>', 'in this state (default: open)', ALERT_STATES)
    .option('--any', 'in any state, also what is over')
    .examples('fisk alert list', 'fisk alert list --any --all --json > alerts.json')
    .action(({ state = 'open', any, ...page }: PageOptions & Given<'state'> & Flags<'any'>) =>
      showPages(session, '/admin/alerts', AlertSchema, { state: any ? undefined : state }, page, ROWS),
    )
    .with(pageOptions())
  alert
    .subcommand('ack', 'Say that you know of an alert: nobody is mailed about it any more.')
    .argument('<id>', 'as fisk alert list shows it')
    .examples('fisk alert ack 4f5c1b1e-8f3c-4a55-9f0e-4b2f8a4c9d11')
    .action((id: string) => {
      const path = `/admin/alerts/${encodeURIComponent(id)}/acknowledge`
      return session.ask((client) => client.post(path, AlertSchema, {}), alertText)
    })
  alert
    .subcommand('test', 'Send a mail now and show what the mail server said. Ends with 1 when one was not taken.')
    .option('--to <address>', 'to this address (default: everybody who is told of alerts)')
    .examples('fisk alert test', 'fisk alert test --to ana@example.hr')
    .action((options: { to?: string }) =>
      session.ask((client) => client.post('/admin/alerts/test', TestMailsSchema, options), testText, isSent),
    )
}

const wordsOf = (alert: AlertView) => alertWords(alert, 'en')

const ROWS: Rows<AlertView> = {
  head: () => '',
  rows: (data, screen) => data.map((alert) => alertText(alert, screen)).join('\n'),
  none: 'There is nothing.',
  sheet: {
    ...columnsOf('id', 'kind', 'severity', 'state', 'subject', 'gateway'),
    title: (alert) => wordsOf(alert).title,
    what: (alert) => wordsOf(alert).what,
    ...columnsOf('raised_at', 'acknowledged_at', 'acknowledged_by', 'resolved_at'),
  },
}

const testText = ({ mails }: TestMailsView) =>
  mails
    .map(({ to, sent, answer }) => paragraph(`${sent ? 'sent' : 'NOT sent'}  `, `${clean(to)}: ${clean(answer)}`))
    .join('')

const isSent = ({ mails }: TestMailsView) => mails.every(({ sent }) => sent)

function alertText(alert: AlertView, screen: Screen): string {
  const { title, what, todo } = alertWords(alert, screen.language)
  const { id, severity, state, gateway, acknowledged_by, acknowledged_at } = alert
  const rows: [string, string | null][] = [
    ['id', id],
    ['state', translate(state, screen.language)],
    ['raised', localTime(alert.raised_at)],
    ['gateway', gateway && clean(gateway)],
    ['known to', acknowledged_by && `${clean(acknowledged_by)}, ${localTime(acknowledged_at)}`],
    ['over', localTime(alert.resolved_at)],
    ['what', what],
    ['to do', state === 'resolved' ? null : todo],
  ]
  return paragraph(`${severity.toUpperCase()}: `, title, screen) + fields(rows, screen)
}
