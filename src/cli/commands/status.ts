import type { Command } from 'commander'
import type { Status } from '../answers.ts'
import { wantsColour } from '../io.ts'
import type { Session } from '../session.ts'
import { statusText } from '../status-text.ts'

export function register(program: Command, session: Session): void {
  program
    .command('status')
    .description('Tell whether this gateway can sell right now and, if not, why. Exit code 1 when it cannot.')
    .addHelpText('after', '\nExample:\n  fisk status\n  fisk status --json')
    .action(() => status(session))
}

async function status(session: Session): Promise<void> {
  const client = await session.client()
  const answer = await client.get<Status>('/admin/status')
  await session.show(answer, (current) => statusText(current, wantsColour(session.io)))
  if (!answer.can_sell) session.exitCode = 1
}
