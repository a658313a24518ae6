import type { Command } from 'commander'
import type { Device } from '../answers.ts'
import { checkIsuNumber } from '../isu-number.ts'
import { companyId } from '../references.ts'
import type { Session } from '../session.ts'
import { fields } from '../text.ts'

interface AddOptions {
  company: string
  premises: string
  label: string
  isu?: string
  address?: string
}

export function register(program: Command, session: Session): void {
  const device = program.command('device').description('Self-service machines')
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
    .action((options: AddOptions) => addDevice(options, session))
}

async function addDevice({ company, premises, label, isu, address }: AddOptions, session: Session): Promise<void> {
  const body = {
    company_id: companyId(company),
    premises_code: premises,
    label,
    ...(isu !== undefined && { isu_number: checkIsuNumber('isu', isu) }),
    ...(address !== undefined && { premises_address: address }),
  }
  const client = await session.client()
  await session.show(await client.post<Device>('/v1/devices', body), deviceText)
}

export function deviceText(device: Device): string {
  return fields([
    ['device', device.label],
    ['id', device.id],
    ['company', device.company_id],
    ['premises', device.premises_code],
    ['address', device.premises_address],
    ['ISU number', device.isu_number ?? 'not issued yet: it cannot sell'],
    ['ISU status', device.isu_status],
  ])
}
