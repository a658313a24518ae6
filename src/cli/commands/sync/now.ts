import { setTimeout } from 'node:timers/promises'
import type { Command } from 'commander'
import { SyncSchema } from '../../../contract/admin/sync.ts'
import { clash } from '../../failure.ts'
import type { Session } from '../../session.ts'
import { syncText } from '../../text/sync-text.ts'

/** Between looks: at first a short one, for a gateway that has told everything is done at once. */
const [FIRST_MS, LONGEST_MS] = [100, 1000]

export function register(sync: Command, session: Session): void {
  sync
    .command('now')
    .description(
      'Tell the central server everything that waits, also what it has refused, and wait until it is done. Exit code 1 ' +
        'when it cannot be told, or something is refused still.',
    )
    .addHelpText('after', '\nExample:\n  fisk sync now')
    .action(() => now(session))
}

async function now(session: Session): Promise<void> {
  const client = await session.client()
  let answer = await client.post('/admin/sync/now', SyncSchema)
  const progress = createProgress(session)
  for (let ms = FIRST_MS; ; ms = Math.min(LONGEST_MS, ms * 2)) {
    const { sync } = answer
    if (sync === null) throw clash('gateway', 'This gateway has left its server meanwhile.')
    progress.show(sync.waiting)
    if (sync.heard && sync.waiting === 0 && sync.state === 'connected' && !sync.tells_again) break
    // What went wrong before counts no more: that it is tried at once has ended every wait.
    if (sync.next_try_at !== null) break
    await setTimeout(ms)
    answer = await client.get('/admin/sync', SyncSchema)
  }
  progress.end()
  await session.show(answer, (current) => syncText(current, Date.now()))
  const { sync } = answer
  session.exitCode =
    sync !== null && sync.waiting === 0 && sync.refused === 0 && sync.state === 'connected' && sync.heard ? 0 : 1
}

/** A line on the terminal that counts down the waiting rows. */
function createProgress({ io, wantsJson }: Session) {
  let shown = false
  return {
    show(waiting: number): void {
      if (!io.isTty || wantsJson() || waiting === 0) return
      shown = true
      io.stdout.write(`\r\u001b[K${waiting} rows wait`)
    },
    end(): void {
      if (shown) io.stdout.write('\r\u001b[K')
    },
  }
}
