import { type Command, Option } from 'commander'
import { DeviceSchema, type DeviceView } from '../../../contract/v1/fleet.ts'
import { ACTIVE_STATUSES } from '../../../domain/statuses.ts'
import { type ListOptions, pages, showAll, tableOf } from '../../daemon/lists.ts'
import { companyId } from '../../daemon/references.ts'
import type { Session } from '../../session.ts'
import { csvOption } from '../../text/csv.ts'

interface Options extends ListOptions {
  company?: string
  premises?: string
  isuStatus?: string
  status?: string
}

export function register(device: Command, session: Session): void {
  device
    .command('list')
    .description('List machines, the oldest first.')
    .option('--company <oib-or-id>', 'of one company')
    .option('--premises <code>', 'at one premises')
    .addOption(
      new Option('--isu-status <status>', 'pending: without a number; mismatch: refused').choices([
        'pending',
        'assigned',
        'mismatch',
      ]),
    )
    .addOption(new Option('--status <status>', 'in one status').choices(ACTIVE_STATUSES))
    .addOption(csvOption())
    .addHelpText(
      'after',
      '\nExample:\n  fisk device list\n  fisk device list --company 02994650199 --isu-status pending',
    )
    .action((options: Options) => listDevices(options, session))
}

async function listDevices({ company, premises, isuStatus, status, csv }: Options, session: Session): Promise<void> {
  const query = {
    company_id: company === undefined ? undefined : companyId(company),
    premises_code: premises,
    isu_status: isuStatus,
    status,
  }
  await showAll(session, pages(await session.client(), '/v1/devices', DeviceSchema, query), ROWS, csv)
}

const LAYOUT = [
  { head: 'Device' },
  { head: 'Premises', width: 20 },
  { head: 'ISU number', width: 20 },
  { head: 'State', width: 14 },
]

const ROWS = tableOf<DeviceView>(LAYOUT, {
  none: 'There is no such device.',
  cells: (device, say) => [device.label, device.premises_code, device.isu_number ?? '-', say(stateOf(device))],
  sheet: {
    id: ({ id }) => id,
    label: ({ label }) => label,
    company_id: ({ company_id }) => company_id,
    premises_code: ({ premises_code }) => premises_code,
    premises_address: ({ premises_address }) => premises_address,
    isu_number: ({ isu_number }) => isu_number,
    isu_status: ({ isu_status }) => isu_status,
    status: ({ status }) => status,
  },
})

/** Whether it may sell, in a word. */
function stateOf({ status, isu_status }: DeviceView): string {
  if (status !== 'active') return status
  return isu_status === 'assigned' ? 'active' : isu_status === 'pending' ? 'no number' : isu_status
}
