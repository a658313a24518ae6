import type { Command } from 'commander'
import { TestMailsSchema } from '../../../contract/admin/alerts.ts'
import type { Session } from '../../session.ts'
import { clean, paragraph } from '../../text/columns.ts'

export function register(alert: Command, session: Session): void {
  alert
    .command('test')
    .description('Send a mail now and show what the mail server said. Ends with 1 when one was not taken.')
    .option('--to <address>', 'to this address (default: everybody who is told of alerts)')
    .addHelpText('after', '\nExample:\n  fisk alert test\n  fisk alert test --to ana@example.hr')
    .action(({ to }: { to?: string }) => sendTest(to, session))
}

async function sendTest(to: string | undefined, session: Session): Promise<void> {
  const client = await session.client()
  const tested = await client.post('/admin/alerts/test', TestMailsSchema, to === undefined ? {} : { to })
  await session.show(tested, ({ mails }) =>
    mails
      .map(({ to, sent, answer }) => paragraph(`${sent ? 'sent' : 'NOT sent'}  `, `${clean(to)}: ${clean(answer)}`))
      .join(''),
  )
  if (tested.mails.some(({ sent }) => !sent)) session.exitCode = 1
}
