import type { Command } from 'commander'
import { LeftSchema, type LeftView } from '../../../contract/admin/sync.ts'
import { consent, yesOption } from '../../consent.ts'
import type { Session } from '../../session.ts'
import { clean, paragraph } from '../../text/columns.ts'

export function register(sync: Command, session: Session): void {
  sync
    .command('leave')
    .description('Tie this gateway to no server any more. Every row is kept, here and there.')
    .addOption(yesOption())
    .addHelpText('after', '\nExample:\n  fisk sync leave --yes')
    .action(({ yes }: { yes?: true }) => leave(yes, session))
}

async function leave(yes: true | undefined, session: Session): Promise<void> {
  await consent(session, yes, 'Tell the central server nothing any more?')
  const client = await session.client()
  await session.show(await client.post('/admin/sync/leave', LeftSchema), leftText)
}

function leftText({ told, server }: LeftView): string {
  const heading = `This gateway has left ${clean(server)}. Its premises stay its own there.\n`
  const untold = 'The server was not reached and does not know: on the server, fisk gateway revoke NAME'
  return told ? heading : heading + paragraph('', untold)
}
