import type { Command } from 'commander'
import { GatewayList } from '../../../contract/admin/gateways.ts'
import type { Session } from '../../session.ts'
import { gatewaysText, isAmiss } from '../../text/gateway-text.ts'

export function register(gateway: Command, session: Session): void {
  gateway
    .command('list')
    .description('List gateways and how they are. Ends with 1 when one is silent or duplicated.')
    .addHelpText('after', '\nExample:\n  fisk gateway list')
    .action(() => listGateways(session))
}

async function listGateways(session: Session): Promise<void> {
  const client = await session.client()
  const gateways = await client.get('/admin/gateways', GatewayList)
  await session.show(gateways, ({ data }) => gatewaysText(data, new Date().toISOString()))
  if (gateways.data.some(isAmiss)) session.exitCode = 1
}
