import type { Command } from 'commander'
import { DeviceSchema } from '../../../contract/v1/fleet.ts'
import { companyId } from '../../daemon/references.ts'
import { checkIsuNumber } from '../../isu-number.ts'
import type { Session } from '../../session.ts'
import { deviceText } from '../../text/device-text.ts'

interface Options {
  company: string
  premises: string
  label: string
  isu?: string
  address?: string
}

export function register(device: Command, session: Session): void {
  device
    .command('add')
    .description('Register a machine. Without an ISU number it cannot sell until `fisk isu set` gives it one.')
    .requiredOption('--company <oib-or-id>', 'the company that sells')
    .requiredOption('--premises <code>', 'business premises code as registered with the tax authority')
    .requiredOption('--label <label>', 'its name, unique within the company')
    .option('--isu <number>', "the ISU number that the tax authority's portal issued")
    .option('--address <text>', 'where it stands, for people')
    .addHelpText(
      'after',
      '\nExample:\n  fisk device add --company 02994650199 --premises POSL1 --label "Lobby 1" \\\n    --isu 12345',
    )
    .action((options: Options) => addDevice(options, session))
}

async function addDevice({ company, premises, label, isu, address }: Options, session: Session): Promise<void> {
  const body = {
    company_id: companyId(company),
    premises_code: premises,
    label,
    ...(isu !== undefined && { isu_number: checkIsuNumber('isu', isu) }),
    ...(address !== undefined && { premises_address: address }),
  }
  const client = await session.client()
  await session.show(await client.post('/v1/devices', DeviceSchema, body), deviceText)
}
