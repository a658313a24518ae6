import { type Command, Option } from 'commander'
import { DeviceSchema } from '../../../contract/v1/fleet.ts'
import { ACTIVE_STATUSES } from '../../../domain/statuses.ts'
import { type ConfigChoice, changedConfig, configOptions } from '../../config-options.ts'
import { consent, requireSomebody, yesOption } from '../../consent.ts'
import { deviceWords, orByGateway } from '../../daemon/by-gateway.ts'
import { deviceNamed } from '../../daemon/references.ts'
import { wrongUse } from '../../failure.ts'
import type { Session } from '../../session.ts'
import { clean } from '../../text/columns.ts'
import { deviceText } from '../../text/device-text.ts'

interface Options extends ConfigChoice {
  label?: string
  address?: string | false
  status?: string
  yes?: true
}

export function register(device: Command, session: Session): void {
  const set = device
    .command('set')
    .description('Change a machine; what is not named stays. Its company and premises never change.')
    .argument('<device>', 'label or id')
    .option('--label <label>', 'a new name, unique within the company')
    .option('--address <text>', 'where it stands, for people')
    .option('--no-address', 'no address is known')
    .addOption(new Option('--status <status>', 'only an active device can sell').choices(ACTIVE_STATUSES))
  for (const option of configOptions('of this device')) set.addOption(option)
  set
    .addOption(yesOption())
    .addHelpText(
      'after',
      '\nExample:\n  fisk device set "Lobby 1" --label "Lobby west" --payment-method K\n' +
        '  fisk device set "Lobby 1" --receipt-footer "Hvala!" --receipt-language hr\n' +
        '  fisk device set "Lobby 1" --status suspended --yes',
    )
    .action((reference: string, options: Options) => setDevice(reference, options, session))
}

async function setDevice(reference: string, options: Options, session: Session): Promise<void> {
  const { label, address, status, yes } = options
  const stops = status !== undefined && status !== 'active'
  if (stops) requireSomebody(session, yes)
  const client = await session.client()
  const device = await deviceNamed(client, reference)
  const changes = {
    label,
    premises_address: address === false ? null : address,
    device_config: changedConfig(device.device_config, options),
    status,
  }
  if (Object.values(changes).every((value) => value === undefined)) {
    throw wrongUse('device', 'Nothing was said about the device: add what is to change, such as --label.')
  }
  if (stops) await consent(session, yes, `"${clean(device.label)}" cannot sell while it is ${status}. Do it?`)
  const changed = await orByGateway(client, { device_id: device.id }, deviceWords(device.id, options), () =>
    client.patch(`/v1/devices/${device.id}`, DeviceSchema, changes),
  )
  await session.show(changed, deviceText)
}
