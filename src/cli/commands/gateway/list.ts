import type { Command } from 'commander'
import { GatewayList, type GatewayView } from '../../../contract/admin/gateways.ts'
import { type ListOptions, type Rows, showPage } from '../../daemon/lists.ts'
import type { Session } from '../../session.ts'
import { csvOption } from '../../text/csv.ts'
import { gatewaysText, isAmiss } from '../../text/gateway-text.ts'

export function register(gateway: Command, session: Session): void {
  gateway
    .command('list')
    .description('List gateways and how they are. Ends with 1 when one is silent or duplicated.')
    .addOption(csvOption())
    .addHelpText('after', '\nExample:\n  fisk gateway list')
    .action(({ csv }: ListOptions) => listGateways(csv, session))
}

async function listGateways(csv: true | undefined, session: Session): Promise<void> {
  const client = await session.client()
  const gateways = await client.get('/admin/gateways', GatewayList)
  await showPage(session, gateways, ROWS, csv)
  if (gateways.data.some(isAmiss)) session.exitCode = 1
}

const ROWS: Rows<GatewayView> = {
  none: 'There is no gateway yet: make one with fisk gateway add NAME.',
  head: () => '',
  rows: (data, screen) => gatewaysText(data, new Date().toISOString(), screen),
  sheet: {
    id: ({ id }) => id,
    name: ({ name }) => name,
    state: ({ state }) => state,
    version: ({ version }) => version,
    last_seen_at: ({ last_seen_at }) => last_seen_at,
    can_sell: ({ heartbeat }) => heartbeat?.can_sell,
    pending: ({ heartbeat }) => heartbeat?.queue.pending,
    retrying: ({ heartbeat }) => heartbeat?.queue.retrying,
    failed: ({ heartbeat }) => heartbeat?.queue.failed,
    waiting: ({ heartbeat }) => heartbeat?.outbox.waiting,
    refused: ({ refused }) => refused,
    last_jir_at: ({ heartbeat }) => heartbeat?.last_jir_at,
    enrolled_at: ({ enrolled_at }) => enrolled_at,
  },
}
