import { CompanySchema, type CompanyView, DeviceSchema, type DeviceView } from '../../contract/v1/fleet.ts'
import { byPremises, PORTAL_COLUMNS, portalRow } from '../../domain/premises/portal-sheet.ts'
import { withDeviceName } from '../../domain/shell-word.ts'
import type { Command } from '../command.ts'
import { consent, requireSomebody, yesOption } from '../consent.ts'
import { orByGateway } from '../daemon/by-gateway.ts'
import { allRows, type ListOptions, type Rows, showPage } from '../daemon/lists.ts'
import { deviceNamed } from '../daemon/references.ts'
import { warnOfPremises } from '../daemon/shared-premises.ts'
import { checkIsuNumber } from '../isu-number.ts'
import type { Session } from '../session.ts'
import { clean, fields, paragraph } from '../text/columns.ts'
import { csvOption } from '../text/csv.ts'
import { deviceText } from '../text/device-text.ts'
import { consentToIsu } from './gateway/wanted.ts'

export function register(program: Command, session: Session): void {
  const isu = program.command('isu').description("ISU numbers: the tax authority's mark for each machine")
  isu
    .command('set')
    .description(
      'Give a machine its ISU number; it sells with it from the next sale on. Asks before it replaces another one.',
    )
    .argument('<device>', 'label or id')
    .argument('<number>', "the number that the tax authority's portal issued")
    .addOption(yesOption())
    .examples('fisk isu set "Lobby 1" 12345')
    .action((device: string, number: string, { yes }: { yes?: true }) =>
      setNumber(device, checkIsuNumber('number', number), yes, session),
    )
  isu
    .subcommand('clear', 'Take the ISU number from a machine; it cannot sell until it gets one.')
    .argument('<device>', 'label or id')
    .addOption(yesOption())
    .examples('fisk isu clear "Lobby 1" --yes')
    .action((device: string, { yes }: { yes?: true }) => clearNumber(device, yes, session))
  isu
    .command('pending')
    .description(
      "List machines without an ISU number, with what has to be typed into the tax authority's portal to get it. " +
        'The page for ISU numbers takes the CSV file back, with the numbers in its last column.',
    )
    .addOption(csvOption())
    .examples('fisk isu pending', 'fisk isu pending --csv > portal.csv')
    .action((options: ListOptions) => listPending(session, options))
}

async function setNumber(reference: string, isuNumber: string, yes: true | undefined, session: Session): Promise<void> {
  const client = await session.client()
  const device = await deviceNamed(client, reference)
  const { id } = device
  await consentToIsu(session, yes, device, isuNumber)
  const words = ['isu', '--device', id, '--isu', isuNumber]
  const changed = await orByGateway(client, { device_id: id }, words, () =>
    client.patch(`/v1/devices/${id}`, DeviceSchema, { isu_number: isuNumber }),
  )
  await session.show(changed, deviceText)
  await warnOfPremises(session, client, device)
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

async function listPending(session: Session, { csv }: ListOptions): Promise<void> {
  const client = await session.client()
  const query = { isu_status: 'pending', status: 'active' }
  const devices = await allRows(client, '/v1/devices', DeviceSchema, query)
  const companies = devices.length === 0 ? [] : await allRows(client, '/v1/companies', CompanySchema)
  const byId = new Map(companies.filter(({ status }) => status !== 'archived').map((one) => [one.id, one]))
  const data = devices
    .flatMap((device) => {
      const company = byId.get(device.company_id)
      return company ? pendingOf(device, company) : []
    })
    .sort((one, other) => byPremises(one.portal, other.portal))
  await showPage(session, { object: 'list', data, has_more: false, next_cursor: null }, ROWS, csv)
}

type Pending = ReturnType<typeof pendingOf>

/** A machine as `/v1` shows it, with the names that the portal wants and what else it asks. */
function pendingOf(device: DeviceView, { name, oib, fiscal_config: fiscalConfig }: CompanyView) {
  const { label, premises_code: premisesCode, premises_address: premisesAddress } = device
  const portal = portalRow({ label, premisesCode, premisesAddress }, { oib, fiscalConfig }, Date.now())
  return { ...device, company_name: name, company_oib: oib, portal }
}

const ROWS: Rows<Pending> = {
  head: () => '',
  rows: pendingText,
  none: 'Every active machine has its ISU number.',
  sheet: Object.fromEntries(PORTAL_COLUMNS.map((name) => [name, ({ portal }: Pending) => portal[name]])),
}

function pendingText(machines: Pending[]): string {
  const count = machines.length
  const have = count === 1 ? '1 machine has' : `${count} machines have`
  const intro = `${have} no ISU number yet. Register each premises in the tax authority's portal with what stands here.`
  const parts = machines.map((machine, at) => {
    const { company_name: name, company_oib: oib } = machine
    const isFirst = machines[at - 1]?.company_oib !== oib
    return (isFirst ? paragraph('', `${name}, OIB ${oib}`) : '') + machinePart(machine)
  })
  return `${paragraph('', intro)}\n${parts.join('\n')}\n${paragraph('', NEXT)}`
}

const NEXT =
  'The portal issues a number for each machine. Give it to the machine with `fisk isu set`, as shown, or to many with the ' +
  'sheet of fisk isu pending --csv, on the page /dashboard/jobs/isu, which adds no machines. Then look: fisk status'

function machinePart({ label, company_oib, portal }: Pending): string {
  const unknown = (command: string) => `not known here; to keep it: ${command}`
  return fields([
    ['  device', label],
    ['    premises code', portal.premises_code],
    ['    type', portal.premises_type],
    ['    note', portal.note || unknown(withDeviceName('fisk device set DEVICE --address TEXT', label))],
    ['    opening date', `any day from ${portal.opens_from} to ${portal.opens_to}`],
    ['    activity', portal.activity || unknown(`fisk company set ${company_oib} --config activity=TEXT`)],
    ['    working hours', portal.working_hours || 'not known here'],
    ['    then', withDeviceName('fisk isu set DEVICE NUMBER', label)],
  ])
}
