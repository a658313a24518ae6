import type { Command } from 'commander'
import { RevokedGatewaySchema, type RevokedGatewayView } from '../../../contract/admin/gateways.ts'
import { consent, yesOption } from '../../consent.ts'
import type { Session } from '../../session.ts'
import { clean, fields } from '../../text/columns.ts'
import { localTime } from '../../text/times.ts'

interface Options {
  release?: true
  yes?: true
}

export function register(gateway: Command, session: Session): void {
  gateway
    .command('revoke')
    .description('Refuse a gateway from its next request on. What it has told stays.')
    .argument('<name>', 'its name or id')
    .option('--release', 'let others sell at its premises: only when it sells no more')
    .addOption(yesOption())
    .addHelpText('after', '\nExample:\n  fisk gateway revoke kiosk-7 --yes')
    .action((name: string, options: Options) => revoke(name, options, session))
}

async function revoke(name: string, { release, yes }: Options, session: Session): Promise<void> {
  const also = release ? ' Its premises are given to whoever asks next: is it switched off for good?' : ''
  await consent(session, yes, `Refuse the gateway ${clean(name)} from now on?${also}`)
  const client = await session.client()
  const path = `/admin/gateways/${encodeURIComponent(name)}/revoke`
  const revoked = await client.post(path, RevokedGatewaySchema, { ...(release && { release }) })
  await session.show(revoked, revokedText)
}

function revokedText({ name, revoked_at, released }: RevokedGatewayView): string {
  const about = fields([
    ['gateway', clean(name)],
    ['revoked', localTime(revoked_at)],
    ['premises', released ? 'free for others' : 'still its own; --release frees them'],
  ])
  return `${about}\nIt sells on by itself, and the server takes nothing from it.\n`
}
