import type { Command } from 'commander'
import { DeviceSchema } from '../../../contract/v1/fleet.ts'
import { consent, requireSomebody, yesOption } from '../../consent.ts'
import { orByGateway } from '../../daemon/by-gateway.ts'
import { deviceNamed } from '../../daemon/references.ts'
import type { Session } from '../../session.ts'
import { clean } from '../../text/columns.ts'
import { deviceText } from '../../text/device-text.ts'

export function register(isu: Command, session: Session): void {
  isu
    .command('clear')
    .description('Take the ISU number from a machine; it cannot sell until it gets one.')
    .argument('<device>', 'label or id')
    .addOption(yesOption())
    .addHelpText('after', '\nExample:\n  fisk isu clear "Lobby 1" --yes')
    .action((device: string, { yes }: { yes?: true }) => clearNumber(device, yes, session))
}

async function clearNumber(reference: string, yes: true | undefined, session: Session): Promise<void> {
  requireSomebody(session, yes)
  const client = await session.client()
  const { id, label, isu_number } = await deviceNamed(client, reference)
  const question = `Take the ISU number ${isu_number} from "${clean(label)}"? It cannot sell until it gets one.`
  if (isu_number !== null) await consent(session, yes, question)
  const changed = await orByGateway(client, { device_id: id }, ['isu', '--device', id, '--no-isu'], () =>
    client.patch(`/v1/devices/${id}`, DeviceSchema, { isu_number: null }),
  )
  await session.show(changed, deviceText)
}
