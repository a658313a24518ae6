import type { Command } from 'commander'
import { CompanySchema, type CompanyView, DeviceSchema, type DeviceView } from '../../../contract/v1/fleet.ts'
import { shellWord } from '../../../domain/shell-word.ts'
import { allRows } from '../../daemon/lists.ts'
import type { Session } from '../../session.ts'
import { fields, paragraph } from '../../text/columns.ts'

export function register(isu: Command, session: Session): void {
  isu
    .command('pending')
    .description(
      "List machines without an ISU number, with what has to be typed into the tax authority's portal to get it.",
    )
    .addHelpText('after', '\nExample:\n  fisk isu pending')
    .action(() => listPending(session))
}

/** A machine as `/v1` shows it, with the names that the portal wants. */
interface Pending extends DeviceView {
  company_name: string
  company_oib: string
}

async function listPending(session: Session): Promise<void> {
  const client = await session.client()
  const query = { isu_status: 'pending', status: 'active' }
  const devices = await allRows(client, '/v1/devices', DeviceSchema, query)
  const companies = devices.length === 0 ? [] : await allRows(client, '/v1/companies', CompanySchema)
  const groups = companies
    .filter(({ status }) => status !== 'archived')
    .map((company) => devices.filter(({ company_id }) => company_id === company.id).map(pendingOf(company)))
    .filter((machines) => machines.length > 0)
  const list = { object: 'list' as const, data: groups.flat(), has_more: false, next_cursor: null }
  await session.show(list, () => pendingText(groups))
}

const pendingOf =
  ({ name, oib }: CompanyView) =>
  (device: DeviceView): Pending => ({ ...device, company_name: name, company_oib: oib })

function pendingText(groups: Pending[][]): string {
  const count = groups.flat().length
  if (count === 0) return 'Every active machine has its ISU number.\n'
  const have = count === 1 ? '1 machine has' : `${count} machines have`
  const intro = `${have} no ISU number yet. Register each premises in the tax authority's portal with what stands here.`
  return `${paragraph('', intro)}\n${groups.map(companyPart).join('\n')}\n${paragraph('', NEXT)}`
}

const NEXT =
  'The portal issues a number for each machine. Give it to the machine with `fisk isu set`, as shown, or to many with a ' +
  'CSV file: fisk device import. Then look: fisk status'

function companyPart(machines: Pending[]): string {
  const [first] = machines
  return paragraph('', `${first?.company_name}, OIB ${first?.company_oib}`) + machines.map(machinePart).join('\n')
}

function machinePart({ label, premises_code, premises_address }: Pending): string {
  const name = shellWord(label)
  return fields([
    ['  device', label],
    ['    premises code', premises_code],
    ['    address', premises_address ?? `not known here; to keep it: fisk device set ${name} --address TEXT`],
    ['    then', `fisk isu set ${name} NUMBER`],
  ])
}
