import type { Command } from 'commander'
import { PrinterTestSchema, type PrinterTestView } from '../../../contract/admin/printers.ts'
import { shellWord } from '../../../domain/shell-word.ts'
import { deviceNamed } from '../../daemon/references.ts'
import { during } from '../../progress.ts'
import type { Session } from '../../session.ts'
import { paragraph } from '../../text/columns.ts'
import { printerText } from '../../text/printer-text.ts'
import type { Screen } from '../../text/screen.ts'

export function register(printer: Command, session: Session): void {
  printer
    .command('test')
    .description(
      'Print a page with all letters, the code pages and the QR code. Exit code 1 when it does not come out.',
    )
    .argument('<device>', 'label or id')
    .addHelpText('after', '\nExample:\n  fisk printer test "Lobby 1"')
    .action((device: string) => test(device, session))
}

async function test(reference: string, session: Session): Promise<void> {
  const client = await session.client()
  const { id } = await deviceNamed(client, reference)
  const printing = client.post(`/admin/printers/${id}/test`, PrinterTestSchema)
  const tested = await during(session, 'Printing a test page', printing)
  await session.show(tested, testText)
  if (tested.status === 'failed' || tested.status === 'expired') session.exitCode = 1
}

const TESTED: Record<string, string> = {
  printed: 'The printer says that the page is out.',
  unconfirmed: 'The page was sent; the printer does not say whether it is out.',
  failed: 'The page did not come out.',
  expired: 'The page was not sent.',
}

function testText({ status, detail, printer }: PrinterTestView, screen: Screen): string {
  const why = detail === null ? '' : paragraph('', detail)
  const isSent = status === 'printed' || status === 'unconfirmed'
  return `${TESTED[status] ?? status}\n${why}${isSent ? letters(printer) : ''}\n${printerText(printer, screen)}`
}

function letters({ device }: PrinterTestView['printer']): string {
  const command = `fisk printer set ${shellWord(device.label)} --encoding NAME --code-page NUMBER`
  return paragraph('', `Are its letters wrong? Look which line of letters is right, and set that: ${command}`)
}
