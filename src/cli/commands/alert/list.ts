import { type Command, Option } from 'commander'
import { AlertSchema, type AlertView } from '../../../contract/admin/alerts.ts'
import { ALERT_STATES } from '../../../domain/alert.ts'
import { alertWords } from '../../../domain/alert-texts/alert-texts.ts'
import { type PageOptions, pageOptions, type Rows, showPages } from '../../daemon/lists.ts'
import type { Session } from '../../session.ts'
import { alertText } from '../../text/alert-text.ts'

export function register(alert: Command, session: Session): void {
  const list = alert
    .command('list')
    .description('List what somebody should know, the latest first.')
    .addOption(new Option('--state <state>', 'in this state (default: open)').choices(ALERT_STATES))
    .option('--any', 'in any state, also what is over')
    .addHelpText('after', '\nExample:\n  fisk alert list\n  fisk alert list --any --all --json > alerts.json')
    .action((options: Options) => listAlerts(options, session))
  for (const option of pageOptions()) list.addOption(option)
}

interface Options extends PageOptions {
  state?: string
  any?: true
}

function listAlerts({ state = 'open', any, ...page }: Options, session: Session): Promise<void> {
  return showPages(session, '/admin/alerts', AlertSchema, { state: any ? undefined : state }, page, ROWS)
}

const wordsOf = (alert: AlertView) => alertWords(alert, 'en')

const ROWS: Rows<AlertView> = {
  head: () => '',
  rows: (data, screen) => data.map((alert) => alertText(alert, screen)).join('\n'),
  none: 'There is nothing.',
  sheet: {
    id: ({ id }) => id,
    kind: ({ kind }) => kind,
    severity: ({ severity }) => severity,
    state: ({ state }) => state,
    subject: ({ subject }) => subject,
    gateway: ({ gateway }) => gateway,
    title: (alert) => wordsOf(alert).title,
    what: (alert) => wordsOf(alert).what,
    raised_at: ({ raised_at }) => raised_at,
    acknowledged_at: ({ acknowledged_at }) => acknowledged_at,
    acknowledged_by: ({ acknowledged_by }) => acknowledged_by,
    resolved_at: ({ resolved_at }) => resolved_at,
  },
}
