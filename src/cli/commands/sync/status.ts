import type { Command } from 'commander'
import { SyncSchema } from '../../../contract/admin/sync.ts'
import type { Session } from '../../session.ts'
import { syncProblems, syncText } from '../../text/sync-text.ts'

export function register(sync: Command, session: Session): void {
  sync
    .command('status')
    .description(
      'Tell how it is with the central server: what waits, what was refused, and why. Exit code 1 when somebody should ' +
        'do something about it.',
    )
    .addHelpText('after', '\nExample:\n  fisk sync status\n  fisk sync status --json')
    .action(async () => {
      const answer = await (await session.client()).get('/admin/sync', SyncSchema)
      await session.show(answer, (current) => syncText(current, Date.now()))
      session.exitCode = syncProblems(answer, Date.now()).length > 0 ? 1 : 0
    })
}
