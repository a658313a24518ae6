import { type Command, Option } from 'commander'
import { AlertSchema, type AlertView } from '../../../contract/admin/alerts.ts'
import { ALERT_STATES } from '../../../domain/alert.ts'
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

const ROWS: Rows<AlertView> = { head: '', rows: (data) => data.map(alertText).join('\n'), none: 'There is nothing.' }
