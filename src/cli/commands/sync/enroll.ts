import type { Command } from 'commander'
import { SyncSchema, type SyncView } from '../../../contract/admin/sync.ts'
import type { Client } from '../../daemon/client.ts'
import { wrongUse } from '../../failure.ts'
import { readInput } from '../../files.ts'
import { during } from '../../progress.ts'
import type { Session } from '../../session.ts'
import { clean, paragraph } from '../../text/columns.ts'

interface Options {
  ca?: string
}

export function register(sync: Command, session: Session): void {
  sync
    .command('enroll')
    .description(
      'Tie this gateway to a central server, with the one-time token that `fisk gateway add NAME` shows there. ' +
        'Everything that was sold before is told, too.',
    )
    .argument('[url]', 'address of the server; FISKD_SYNC_URL without it')
    .argument('[token]', 'the token')
    .option('--ca <file>', 'CA to believe, PEM, where a balancer has its own certificate')
    .addHelpText(
      'after',
      '\nExample:\n  fisk sync enroll https://fisk.example.com:8443 fisk_enroll_...\n  fisk sync enroll fisk_enroll_...',
    )
    .action(async (first: string | undefined, second: string | undefined, { ca }: Options) => {
      const { url, token } = readAccess(first, second)
      const pem = ca === undefined ? undefined : (await readInput('ca', ca)).toString('utf8')
      const enrolling = enrollAt(await session.client(), { url, token, ca: pem })
      await session.show(await during(session, 'Enrolling at the central server', enrolling), enrolledText)
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
