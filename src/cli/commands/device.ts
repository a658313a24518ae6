import { DeviceSchema, type DeviceView, ImportReportSchema, type ImportReportView } from '../../contract/v1/fleet.ts'
import { shellWord } from '../../domain/shell-word.ts'
import { ACTIVE_STATUSES } from '../../domain/statuses.ts'
import { IMPORT_FILE_BYTES } from '../../domain/upload.ts'
import type { Command, Flags, Given, Needed } from '../command.ts'
import { configOptions, type DeviceChoice, deviceChanges } from '../config-options.ts'
import { consent, requireSomebody, yesOption } from '../consent.ts'
import { deviceWords, orByGateway } from '../daemon/by-gateway.ts'
import { type ListOptions, pages, showAll, tableOf } from '../daemon/lists.ts'
import { companyId, deviceNamed } from '../daemon/references.ts'
import { warnOfPremises, warnOfShared } from '../daemon/shared-premises.ts'
import { fixOf } from '../failure.ts'
import { formOf, readUpload } from '../files.ts'
import { checkIsuNumber } from '../isu-number.ts'
import type { Session } from '../session.ts'
import { clean, columns, paragraph, shorten } from '../text/columns.ts'
import { columnsOf, csvOption } from '../text/csv.ts'
import { deviceText } from '../text/device-text.ts'
import { layoutOf } from '../text/table.ts'

export function register(program: Command, session: Session): void {
  const device = program.command('device').description('Self-service machines')
  device
    .subcommand('add', 'Register a machine. Without an ISU number it cannot sell until `fisk isu set` gives it one.')
    .requiredOption('--company <oib-or-id>', 'the company that sells')
    .requiredOption('--premises <code>', 'business premises code as registered with the tax authority')
    .requiredOption('--label <label>', 'its name, unique within the company')
    .option('--isu <number>', "the ISU number that the tax authority's portal issued")
    .option('--address <text>', 'where it stands, for people')
    .examples('fisk device add --company 02994650199 --premises POSL1 --label "Lobby 1" \\\n    --isu 12345')
    .action((options: AddOptions) => addDevice(options, session))
  device
    .subcommand('list', 'List machines, the oldest first.')
    .option('--company <oib-or-id>', 'of one company')
    .option('--premises <code>', 'at one premises')
    .choice('--isu-status <status>', 'pending: without a number; mismatch: refused', [
      'pending',
      'assigned',
      'mismatch',
    ])
    .choice('--status <status>', 'in one status', ACTIVE_STATUSES)
    .addOption(csvOption())
    .examples('fisk device list', 'fisk device list --company 02994650199 --isu-status pending')
    .action((options: FilterOptions) => listDevices(options, session))
  device
    .subcommand('set', 'Change a machine; what is not named stays. Its company and premises never change.')
    .argument('<device>', 'label or id')
    .option('--label <label>', 'a new name, unique within the company')
    .option('--address <text>', 'where it stands, for people')
    .option('--no-address', 'no address is known')
    .choice('--status <status>', 'only an active device can sell', ACTIVE_STATUSES)
    .with(configOptions('of this device'))
    .addOption(yesOption())
    .examples(
      'fisk device set "Lobby 1" --label "Lobby west" --payment-method K',
      'fisk device set "Lobby 1" --receipt-footer "Hvala!" --receipt-language hr',
      'fisk device set "Lobby 1" --status suspended --yes',
    )
    .action((reference: string, options: SetOptions) => setDevice(reference, options, session))
  device
    .command('import')
    .description(
      'Register and update the machines of a CSV file; a row that is wrong keeps no other row from being taken. ' +
        'It can be imported again: a machine is known by its label. Exit code 1 when a row was refused.',
    )
    .argument('<file>', 'the CSV file')
    .requiredOption('--company <oib-or-id>', 'the company that sells')
    .option('--dry-run', 'only tell what would happen')
    .addHelpText('after', EXAMPLE)
    .action((file: string, options: ImportOptions) => importDevices(file, options, session))
}

type AddOptions = Needed<'company' | 'premises' | 'label'> & Given<'isu' | 'address'>

async function addDevice({ company, premises, label, isu, address }: AddOptions, session: Session): Promise<void> {
  const body = {
    company_id: companyId(company),
    premises_code: premises,
    label,
    ...(isu !== undefined && { isu_number: checkIsuNumber('isu', isu) }),
    ...(address !== undefined && { premises_address: address }),
  }
  const client = await session.client()
  const device = await client.post('/v1/devices', DeviceSchema, body)
  await session.show(device, deviceText)
  await warnOfPremises(session, client, device)
}

type FilterOptions = ListOptions & Given<'company' | 'premises' | 'isuStatus' | 'status'>

async function listDevices(
  { company, premises, isuStatus, status, csv }: FilterOptions,
  session: Session,
): Promise<void> {
  const query = {
    company_id: company === undefined ? undefined : companyId(company),
    premises_code: premises,
    isu_status: isuStatus,
    status,
  }
  await showAll(session, pages(await session.client(), '/v1/devices', DeviceSchema, query), ROWS, csv)
}

const LAYOUT = layoutOf({ Device: null, Premises: 20, 'ISU number': 20, State: 14 })

const ROWS = tableOf<DeviceView>(LAYOUT, {
  none: 'There is no such device.',
  cells: (device, say) => [device.label, device.premises_code, device.isu_number ?? '-', say(stateOf(device))],
  sheet: {
    ...columnsOf('id', 'label', 'company_id', 'premises_code', 'premises_address'),
    ...columnsOf('isu_number', 'isu_status', 'status'),
  },
})

function stateOf({ status, isu_status }: DeviceView): string {
  if (status !== 'active') return status
  return isu_status === 'assigned' ? 'active' : isu_status === 'pending' ? 'no number' : isu_status
}

type SetOptions = DeviceChoice & Flags<'yes'>

async function setDevice(reference: string, options: SetOptions, session: Session): Promise<void> {
  const { status, yes } = options
  const stops = status !== undefined && status !== 'active'
  if (stops) requireSomebody(session, yes)
  const client = await session.client()
  const device = await deviceNamed(client, reference)
  const changes = deviceChanges(device, options)
  if (stops) await consent(session, yes, `"${clean(device.label)}" cannot sell while it is ${status}. Do it?`)
  const changed = await orByGateway(client, { device_id: device.id }, deviceWords(device.id, options), () =>
    client.patch(`/v1/devices/${device.id}`, DeviceSchema, changes),
  )
  await session.show(changed, deviceText)
}

interface ImportOptions {
  company: string
  dryRun?: true
}

const EXAMPLE = `
The first line names the columns: label and premises_code, and where wanted
isu_number and device_config (a JSON object). A blank cell changes nothing.

Example:
  fisk device import fleet.csv --company 02994650199 --dry-run
  fisk device import fleet.csv --company 02994650199

  label,premises_code,isu_number
  Lobby 1,POSL1,12345
  Lobby 2,POSL2,`

async function importDevices(path: string, { company, dryRun }: ImportOptions, session: Session): Promise<void> {
  const texts = { company_id: companyId(company), dry_run: dryRun && 'true' }
  const form = formOf(texts, await readUpload('file', path, IMPORT_FILE_BYTES, '1 MB.'), 'text/csv')
  const client = await session.client()
  const report = await client.upload('/v1/devices/import', ImportReportSchema, form)
  const again = `fisk device import ${shellWord(path)} --company ${company}`
  await session.show(report, (told) => reportText(told, again))
  const shared = report.shared_premises ?? []
  warnOfShared(
    session,
    shared.map(({ premises_code: premisesCode, labels }) => ({ premisesCode, labels })),
  )
  if (report.failed > 0) session.exitCode = 1
}

function reportText(report: ImportReportView, again: string): string {
  const { dry_run, processed, created, updated, failed, errors, ignored_columns: ignored = [] } = report
  const verb = dry_run ? 'would be ' : ''
  const rest = ignored.length === 0 ? '' : paragraph('', `Columns that were not read: ${ignored.join(', ')}`)
  const sum = `${processed} rows: ${created} ${verb}new, ${updated} ${verb}known already, ${failed} ${verb}refused\n${rest}`
  if (errors.length === 0) return sum
  const rows = errors.map(({ row, label, code, message, param }) => {
    const fix = fixOf(code)
    return rowText(String(row), label, param ?? '', message) + (fix === null ? '' : paragraph(INDENT, `Fix: ${fix}`))
  })
  const next = `Correct these rows in the file and import it again; what was taken stays as it is: ${again}`
  return `${sum}\n${rowText('Line', 'Device', 'Field', 'Reason')}${rows.join('')}\n${paragraph('', next)}`
}

const WIDTHS = [5, 20, 14]
const INDENT = ' '.repeat(WIDTHS.reduce((sum, width) => sum + width + 2, 2))

/** A row whose reason goes on below itself: nothing of it is cut. */
function rowText(line: string, label: string, field: string, reason: string): string {
  const cells = [line, label, field].map((cell, index) => {
    const width = WIDTHS[index] ?? 0
    const shown = shorten(cell, width)
    return `  ${shown}${' '.repeat(width - columns(shown))}`
  })
  return paragraph(`${cells.join('')}  `, clean(reason))
}
