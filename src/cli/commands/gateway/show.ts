import type { Command } from 'commander'
import { GatewayDetailsSchema } from '../../../contract/admin/gateways.ts'
import type { Session } from '../../session.ts'
import { gatewayText, isAmiss } from '../../text/gateway-text.ts'

export function register(gateway: Command, session: Session): void {
  gateway
    .command('show')
    .description('Show how a gateway is. Ends with 1 when it is silent or duplicated.')
    .argument('<name>', 'its name or id')
    .addHelpText('after', '\nExample:\n  fisk gateway show kiosk-7')
    .action((name: string) => showGateway(name, session))
}

async function showGateway(name: string, session: Session): Promise<void> {
  const client = await session.client()
  const gateway = await client.get(`/admin/gateways/${encodeURIComponent(name)}`, GatewayDetailsSchema)
  await session.show(gateway, (one, screen) => gatewayText(one, new Date().toISOString(), screen))
  if (isAmiss(gateway)) session.exitCode = 1
}
