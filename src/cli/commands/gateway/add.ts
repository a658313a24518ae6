import type { Command } from 'commander'
import { NewGatewaySchema, type NewGatewayView } from '../../../contract/admin/gateways.ts'
import type { Session } from '../../session.ts'
import { clean, fields } from '../../text/columns.ts'
import { localTime } from '../../text/times.ts'

export function register(gateway: Command, session: Session): void {
  gateway
    .command('add')
    .description('Make a gateway, and the token that its machine enrols with.')
    .argument('<name>', 'letters, digits, dots, hyphens')
    .option('--again', 'a new token for a gateway that exists: its machine or card was replaced')
    .addHelpText('after', '\nExample:\n  fisk gateway add kiosk-7\n  fisk gateway add kiosk-7 --again')
    .action((name: string, { again }: { again?: true }) => addGateway(name, again === true, session))
}

async function addGateway(name: string, again: boolean, session: Session): Promise<void> {
  const client = await session.client()
  const added = await client.post('/admin/gateways', NewGatewaySchema, { name, ...(again && { again }) })
  await session.show(added, (one) => addedText(one, again))
}

function addedText({ name, token, token_expires_at }: NewGatewayView, again: boolean): string {
  const about = fields([
    ['gateway', clean(name)],
    ['good until', localTime(token_expires_at)],
  ])
  const old = again
    ? '\nOn a new machine or card in its place:\n  sudo fisk replace https://SERVER:8443 TOKEN\n' +
      '\nFrom then on the machine that it had before is refused.\n'
    : ''
  return `Token, shown only now, for one machine:\n\n  ${token}\n\n${about}
On that machine, with the address of this server:\n  sudo fisk sync enroll https://SERVER:8443 TOKEN\n${old}`
}
