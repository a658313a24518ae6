import type { Command } from 'commander'
import { PrinterList } from '../../../contract/admin/printers.ts'
import { deviceNamed } from '../../daemon/references.ts'
import { missing } from '../../failure.ts'
import type { Session } from '../../session.ts'
import { isWell, printerText } from '../../text/printer-text.ts'

export function register(printer: Command, session: Session): void {
  printer
    .command('status')
    .description('Ask the printers how they are. Exit code 1 when one of them cannot print.')
    .argument('[device]', 'label or id; all of them when left out')
    .addHelpText('after', '\nExample:\n  fisk printer status\n  fisk printer status "Lobby 1"')
    .action((device: string | undefined) => status(device, session))
}

async function status(reference: string | undefined, session: Session): Promise<void> {
  const client = await session.client()
  const device = reference === undefined ? undefined : await deviceNamed(client, reference)
  const all = await client.get('/admin/printers?look=true', PrinterList)
  const data = device ? all.data.filter((one) => one.device.id === device.id) : all.data
  if (device && data.length === 0) {
    throw missing('device', `${device.label} has no printer.`, 'Give it one: fisk printer set DEVICE --line LINE')
  }
  await session.show(
    { ...all, data },
    (_, screen) => data.map((one) => printerText(one, screen)).join('\n') || 'No device has a printer.\n',
  )
  if (!data.every(({ condition }) => isWell(condition))) session.exitCode = 1
}
