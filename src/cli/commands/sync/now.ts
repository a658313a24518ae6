import { setTimeout } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Sync } from '../../answers.ts'
import { clash } from '../../failure.ts'
import type { Session } from '../../session.ts'
import { syncText } from '../../sync-text.ts'

const EVERY_MS = 300

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
  let answer = await client.post<Sync>('/admin/sync/now')
  // What went wrong before counts no more.
  const before = answer.sync?.last_error?.at ?? null
  const progress = createProgress(session)
  for (;;) {
    const { sync } = answer
    if (sync === null) throw clash('gateway', 'This gateway has left its server meanwhile.')
    progress.show(sync.waiting)
    if (sync.waiting === 0 && sync.state === 'connected' && !sync.tells_again) break
    if (sync.last_error !== null && sync.last_error.at !== before) break
    await setTimeout(EVERY_MS)
    answer = await client.get<Sync>('/admin/sync')
  }
  progress.end()
  await session.show(answer, (current) => syncText(current, Date.now()))
  const { sync } = answer
  session.exitCode = sync !== null && sync.waiting === 0 && sync.refused === 0 && sync.state === 'connected' ? 0 : 1
}

/** A line that counts down, for somebody who watches. */
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
