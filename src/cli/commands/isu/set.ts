import type { Command } from 'commander'
import { DeviceSchema } from '../../../contract/v1/fleet.ts'
import { consent, yesOption } from '../../consent.ts'
import { orByGateway } from '../../daemon/by-gateway.ts'
import { deviceNamed } from '../../daemon/references.ts'
import { checkIsuNumber } from '../../isu-number.ts'
import type { Session } from '../../session.ts'
import { clean } from '../../text/columns.ts'
import { deviceText } from '../../text/device-text.ts'

export function register(isu: Command, session: Session): void {
  isu
    .command('set')
    .description(
      'Give a machine its ISU number; it sells with it from the next sale on. Asks before it replaces another one.',
    )
    .argument('<device>', 'label or id')
    .argument('<number>', "the number that the tax authority's portal issued")
    .addOption(yesOption())
    .addHelpText('after', '\nExample:\n  fisk isu set "Lobby 1" 12345')
    .action((device: string, number: string, { yes }: { yes?: true }) =>
      setNumber(device, checkIsuNumber('number', number), yes, session),
    )
}

async function setNumber(reference: string, isuNumber: string, yes: true | undefined, session: Session): Promise<void> {
  const client = await session.client()
  const { id, label, isu_number: before } = await deviceNamed(client, reference)
  if (before !== null && before !== isuNumber) {
    await consent(session, yes, `"${clean(label)}" has the ISU number ${before}. Replace it with ${isuNumber}?`)
  }
  const words = ['isu', '--device', id, '--isu', isuNumber]
  const changed = await orByGateway(client, { device_id: id }, words, () =>
    client.patch(`/v1/devices/${id}`, DeviceSchema, { isu_number: isuNumber }),
  )
  await session.show(changed, deviceText)
}
