import type { Command } from 'commander'
import { PrinterList, type PrinterListView } from '../../../contract/admin/printers.ts'
import type { Session } from '../../session.ts'
import { paragraph } from '../../text/columns.ts'
import { printerWord } from '../../text/printer-text.ts'
import { table } from '../../text/table.ts'

export function register(printer: Command, session: Session): void {
  printer
    .command('list')
    .description('The printers that are set, and the lines of this machine where one may be.')
    .addHelpText('after', '\nExample:\n  fisk printer list')
    .action(() => list(session))
}

async function list(session: Session): Promise<void> {
  const client = await session.client()
  await session.show(await client.get('/admin/printers', PrinterList), listText)
}

function listText({ data, found, unusable }: PrinterListView): string {
  const used = new Set(data.map(({ line }) => line))
  const free = found.filter((line) => !used.has(line))
  const columns = [{ head: 'Device' }, { head: 'Profile', width: 16 }, { head: 'State', width: 9 }]
  const rows = data.map(({ device, profile, condition }) => [device.label, profile, printerWord(condition)])
  const [head, ...drawn] = table(columns, rows).split('\n')
  // A line is not cut, because two long lines may differ only at their ends.
  const printers = [head, ...data.flatMap(({ line }, index) => [drawn[index], `    ${line}`])].join('\n')
  const lines = free.map((line) => `  ${line}\n`).join('')
  const places =
    free.length === 0 ? 'No other line to a printer was found on this machine.\n' : `Found as well:\n${lines}`
  const others = unusable.map(({ name, problem, fix }) => paragraph('', `${name}: ${problem.en}. ${fix.en}`)).join('')
  return `${data.length === 0 ? 'No device has a printer.' : printers}\n\n${places}${others}`
}
