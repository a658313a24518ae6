import { basename } from 'node:path'
import type { Command } from 'commander'
import { ImportReportSchema, type ImportReportView } from '../../../contract/v1/fleet.ts'
import { IMPORT_FILE_BYTES } from '../../../domain/upload.ts'
import { companyId } from '../../daemon/references.ts'
import { fixOf, refused } from '../../failure.ts'
import { readInput } from '../../files.ts'
import type { Session } from '../../session.ts'
import { clean, columns, paragraph, shorten } from '../../text/columns.ts'

interface Options {
  company: string
  dryRun?: true
}

export function register(device: Command, session: Session): void {
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
    .action((file: string, options: Options) => importDevices(file, options, session))
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

async function importDevices(path: string, { company, dryRun }: Options, session: Session): Promise<void> {
  const form = new FormData()
  form.set('company_id', companyId(company))
  if (dryRun) form.set('dry_run', 'true')
  const bytes = await readInput('file', path)
  // The daemon would hang up in the middle of it.
  if (bytes.length > IMPORT_FILE_BYTES) throw refused('file_too_large', 'file', `${path} is larger than 1 MB.`)
  form.set('file', new Blob([new Uint8Array(bytes)], { type: 'text/csv' }), basename(path))
  const client = await session.client()
  const report = await client.upload('/v1/devices/import', ImportReportSchema, form)
  await session.show(report, reportText)
  if (report.failed > 0) session.exitCode = 1
}

function reportText({ dry_run, processed, created, updated, failed, errors }: ImportReportView): string {
  const verb = dry_run ? 'would be ' : ''
  const sum = `${processed} rows: ${created} ${verb}new, ${updated} ${verb}known already, ${failed} ${verb}refused\n`
  if (errors.length === 0) return sum
  const rows = errors.map(({ row, label, code, message, param }) => {
    const fix = fixOf(code)
    return rowText(String(row), label, param ?? '', message) + (fix === null ? '' : paragraph(INDENT, `Fix: ${fix}`))
  })
  const next = 'Correct these rows in the file and import it again: what was taken stays as it is.'
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
