import { setTimeout } from 'node:timers/promises'
import { LeftSchema, type LeftView, SyncSchema, type SyncView } from '../../contract/admin/sync.ts'
import type { Command } from '../command.ts'
import { consent, requireSomebody, yesOption } from '../consent.ts'
import type { Client } from '../daemon/client.ts'
import { clash, wrongUse } from '../failure.ts'
import { readInput } from '../files.ts'
import { during } from '../progress.ts'
import type { Session } from '../session.ts'
import { clean, paragraph } from '../text/columns.ts'
import { doubtfulText, syncProblems, syncText } from '../text/sync-text.ts'

export function register(program: Command, session: Session): void {
  const sync = program.command('sync').description('the central server that this gateway tells of its sales')
  sync
    .command('enroll')
    .description(
      'Tie this gateway to a central server, with the one-time token that `fisk gateway add NAME` shows there. ' +
        'Everything that was sold before is told, too.',
    )
    .argument('[url]', 'address of the server; FISKD_SYNC_URL without it')
    .argument('[token]', 'the token')
    .option('--ca <file>', 'CA to believe, PEM, where a balancer has its own certificate')
    .examples('fisk sync enroll https://fisk.example.com:8443 fisk_enroll_...', 'fisk sync enroll fisk_enroll_...')
    .action(async (first: string | undefined, second: string | undefined, { ca }: { ca?: string }) => {
      const { url, token } = readAccess(first, second)
      const pem = ca === undefined ? undefined : (await readInput('ca', ca)).toString('utf8')
      const enrolling = enrollAt(await session.client(), { url, token, ca: pem })
      await session.show(await during(session, 'Enrolling at the central server', enrolling), enrolledText)
    })
  sync
    .command('status')
    .description(
      'Tell how it is with the central server: what waits, what was refused, and why. Exit code 1 when somebody should ' +
        'do something about it.',
    )
    .examples('fisk sync status', 'fisk sync status --json')
    .action(async () => {
      const answer = await (await session.client()).get('/admin/sync', SyncSchema)
      await session.show(answer, (current) => syncText(current, Date.now()))
      session.exitCode = syncProblems(answer, Date.now()).length > 0 ? 1 : 0
    })
  sync
    .command('now')
    .description(
      'Tell the central server everything that waits, also what it has refused, and wait until it is done. Exit code 1 ' +
        'when it cannot be told, or something is refused still.',
    )
    .examples('fisk sync now')
    .action(() => now(session))
  sync
    .command('confirm-numbers')
    .description(
      'Show the receipt numbers that the central server tells and that are not believed, and believe them: sales go on ' +
        'above them. This cannot be taken back.',
    )
    .addOption(yesOption())
    .examples('fisk sync confirm-numbers')
    .action(({ yes }: { yes?: true }) => confirm(yes, session))
  sync
    .subcommand('leave', 'Tie this gateway to no server any more. Every row is kept, here and there.')
    .addOption(yesOption())
    .examples('fisk sync leave --yes')
    .action(async ({ yes }: { yes?: true }) => {
      await consent(session, yes, 'Tell the central server nothing any more?')
      await session.ask((client) => client.post('/admin/sync/leave', LeftSchema), leftText)
    })
}

/** One argument is the token alone. @throws Failure (wrong use) */
export function readAccess(first: string | undefined, second: string | undefined): { url?: string; token: string } {
  const access = second === undefined ? { token: first } : { url: first, token: second }
  if (access.token?.startsWith('fisk_enroll_')) return access as { url?: string; token: string }
  throw wrongUse(
    'token',
    'A token begins with fisk_enroll_.',
    'Make one on the server (fisk gateway add NAME), then: fisk sync enroll URL TOKEN',
  )
}

export function enrollAt(
  client: Client,
  { url, token, ca }: { url?: string | undefined; token: string; ca?: string | undefined },
): Promise<SyncView> {
  const body = { ...(url !== undefined && { url }), token, ...(ca !== undefined && { ca }) }
  return client.post('/admin/sync/enroll', SyncSchema, body)
}

function enrolledText({ sync }: SyncView): string {
  if (sync === null) return 'This gateway has no central server.\n'
  const { gateway, server, waiting } = sync
  return (
    paragraph('', `Enrolled at ${clean(server)} as ${clean(gateway.name ?? gateway.id)}.`) +
    paragraph('', `${waiting} rows are being told now. To see how far it is: fisk sync status`)
  )
}

/** Between looks: at first a short one, for a gateway that has told everything is done at once. */
const [FIRST_MS, LONGEST_MS] = [100, 1000]

async function now(session: Session): Promise<void> {
  const client = await session.client()
  let answer = await client.post('/admin/sync/now', SyncSchema)
  const progress = createProgress(session)
  for (let ms = FIRST_MS; ; ms = Math.min(LONGEST_MS, ms * 2)) {
    const { sync } = answer
    if (sync === null) throw clash('gateway', 'This gateway has left its server meanwhile.')
    progress.show(sync.waiting)
    if (sync.heard && sync.waiting === sync.refused && sync.state === 'connected' && !sync.tells_again) break
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

async function confirm(yes: true | undefined, session: Session): Promise<void> {
  requireSomebody(session, yes)
  const client = await session.client()
  const { sync, doubtful_numbers: doubtful } = await client.get('/admin/sync', SyncSchema)
  if (sync === null) throw clash('gateway', 'This gateway has no central server.')
  if (!session.wantsJson()) session.io.stdout.write(doubtfulText(doubtful))
  if (doubtful.length > 0) {
    await consent(session, yes, 'Were they given out, and are sales to go on above them?')
    const numbers = doubtful.map(({ known: _known, doubt: _doubt, ...number }) => number)
    await client.post('/admin/sync/confirm-numbers', SyncSchema, { numbers })
  }
  await session.show({ confirmed: doubtful }, () =>
    paragraph('', doubtful.length === 0 ? 'There is nothing to confirm.' : 'Confirmed: sales go on above them.'),
  )
}

function leftText({ told, server }: LeftView): string {
  const heading = `This gateway has left ${clean(server)}. Its premises stay its own there.\n`
  const untold = 'The server was not reached and does not know: on the server, fisk gateway revoke NAME'
  return told ? heading : heading + paragraph('', untold)
}
