import type { Command } from 'commander'
import { AlertSchema } from '../../../contract/admin/alerts.ts'
import type { Session } from '../../session.ts'
import { alertText } from '../../text/alert-text.ts'

export function register(alert: Command, session: Session): void {
  alert
    .command('ack')
    .description('Say that you know of an alert: nobody is mailed about it any more.')
    .argument('<id>', 'as fisk alert list shows it')
    .addHelpText('after', '\nExample:\n  fisk alert ack 4f5c1b1e-8f3c-4a55-9f0e-4b2f8a4c9d11')
    .action((id: string) => acknowledge(id, session))
}

async function acknowledge(id: string, session: Session): Promise<void> {
  const client = await session.client()
  await session.show(
    await client.post(`/admin/alerts/${encodeURIComponent(id)}/acknowledge`, AlertSchema, {}),
    alertText,
  )
}
