import { type Command, InvalidArgumentError, Option } from 'commander'
import {
  ANSWERS,
  CONFIRMATIONS,
  CUTS,
  ENCODINGS,
  FLOW_CONTROLS,
  PAPER_COLUMNS,
  PRINTER_PROFILES,
  QR_MODES,
} from '../../domain/printer.ts'
import type { Printer, PrinterList, PrinterTest } from '../answers.ts'
import { missing, wrongUse } from '../failure.ts'
import { isWell, printerText, printerWord } from '../printer-text.ts'
import { deviceNamed } from '../references.ts'
import type { Session } from '../session.ts'
import { table } from '../table.ts'
import { paragraph } from '../text.ts'

/** Options that go into the settings under their own name, with `_` for `-`. */
const SETTINGS = [
  new Option('--columns <n>', 'characters on a line: 48 on 80 mm paper, 32 on 58 mm').choices(
    PAPER_COLUMNS.map(String),
  ),
  new Option('--dpi <n>', 'dots per inch; the size of the QR code follows from it').choices(['180', '203']),
  new Option('--encoding <name>', 'how letters are sent').choices(ENCODINGS),
  new Option('--code-page <n>', 'its number on this printer; `fisk printer test` shows them').argParser(whole),
  new Option('--qr <how>', "by the printer's own command, or as a picture").choices(QR_MODES),
  new Option('--cut <how>', 'feed to the cutter and cut, cut where the paper is, or neither').choices(CUTS),
  new Option('--feed-lines <n>', 'blank lines at the end, 0 to 20, for `plain` and `none`').argParser(whole),
  new Option('--before-hex <bytes>', 'raw bytes before each receipt, 256 at most'),
  new Option('--after-hex <bytes>', 'raw bytes after it, such as 1d6505 for a presenter'),
  new Option('--answers <when>', 'whether it answers questions about its state').choices(ANSWERS),
  new Option('--confirm <how>', 'how it tells that a receipt is out').choices(CONFIRMATIONS),
  new Option('--answer-timeout-ms <n>', 'how long an answer may take, 50 to 10000').argParser(whole),
  new Option('--confirm-timeout-ms <n>', 'how long printing may take, 500 to 120000').argParser(whole),
  new Option('--baud-rate <n>', 'of a serial line').argParser(whole),
  new Option('--flow-control <how>', 'of a serial line').choices(FLOW_CONTROLS),
]

interface SetOptions extends Record<string, unknown> {
  line?: string
  profile?: string
  expireAfter?: number
  reset?: boolean
  none?: boolean
}

export function register(program: Command, session: Session): void {
  const printer = program.command('printer').description('Receipt printers: one for each device that has one')
  printer
    .command('list')
    .description('The printers that are set, and the lines of this machine where one may be.')
    .addHelpText('after', '\nExample:\n  fisk printer list')
    .action(() => list(session))
  const set = printer
    .command('set')
    .description('Give a device its printer, or change it; what is not named stays. In force for the next receipt.')
    .argument('<device>', 'label or id')
    .option(
      '--line <line>',
      'serial:/dev/serial/by-id/NAME, usb:/dev/usb/lp0, tcp:HOST:9100 or file:/PATH; see `fisk printer list`',
    )
    .addOption(new Option('--profile <name>', 'what kind of printer it is').choices(PRINTER_PROFILES))
  for (const option of SETTINGS) set.addOption(option)
  set
    .addOption(
      new Option('--expire-after <seconds>', 'a receipt that waited longer is not printed, 5 to 3600; 90').argParser(
        whole,
      ),
    )
    .option('--reset', 'forget what was set before and differs from the profile')
    .option('--none', 'the device has no printer any more')
    .addHelpText(
      'after',
      '\nExample:\n  fisk printer set "Lobby 1" --line usb:/dev/usb/lp0 --profile epson-tm-t20\n' +
        '  fisk printer set "Lobby 1" --encoding windows1250 --code-page 45',
    )
    .action((device: string, options: SetOptions) => setPrinter(device, options, session))
  printer
    .command('test')
    .description(
      'Print a page with all letters, the code pages and the QR code. Exit code 1 when it does not come out.',
    )
    .argument('<device>', 'label or id')
    .addHelpText('after', '\nExample:\n  fisk printer test "Lobby 1"')
    .action((device: string) => test(device, session))
  printer
    .command('status')
    .description('Ask the printers how they are. Exit code 1 when one of them cannot print.')
    .argument('[device]', 'label or id; all of them when left out')
    .addHelpText('after', '\nExample:\n  fisk printer status\n  fisk printer status "Lobby 1"')
    .action((device: string | undefined) => status(device, session))
}

function whole(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is a whole number.')
  return Number(text)
}

async function list(session: Session): Promise<void> {
  const client = await session.client()
  await session.show(await client.get<PrinterList>('/admin/printers'), listText)
}

async function listText({ data, found }: PrinterList): Promise<string> {
  const used = new Set(data.map(({ line }) => line))
  const free = found.filter((line) => !used.has(line))
  const columns = [{ head: 'Device' }, { head: 'Profile', width: 16 }, { head: 'State', width: 9 }]
  const rows = data.map(({ device, profile, condition }) => [device.label, profile, printerWord(condition)])
  const [head, ...drawn] = (await table(columns, rows)).split('\n')
  // A line is long, and all that tells two of them apart may be its end: it is not cut.
  const printers = [head, ...data.flatMap(({ line }, index) => [drawn[index], `    ${line}`])].join('\n')
  const lines = free.map((line) => `  ${line}\n`).join('')
  const places =
    free.length === 0 ? 'No other line to a printer was found on this machine.\n' : `Found as well:\n${lines}`
  return `${data.length === 0 ? 'No device has a printer.' : printers}\n\n${places}`
}

async function setPrinter(reference: string, options: SetOptions, session: Session): Promise<void> {
  const { line, profile, expireAfter, reset, none, ...others } = options
  const settings = Object.fromEntries(
    Object.entries(others).map(([name, value]) => {
      const isNumber = name === 'columns' || name === 'dpi'
      return [name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), isNumber ? Number(value) : value]
    }),
  )
  const client = await session.client()
  const { id } = await deviceNamed(client, reference)
  if (none && Object.keys(options).length > 1) throw wrongUse('none', '--none takes the printer away: it stands alone.')
  if (none) {
    await session.show(await client.delete<Printer>(`/admin/printers/${id}`), () => 'It prints no receipts any more.\n')
    return
  }
  const changes = { line, profile, expire_after_s: expireAfter, reset, settings }
  if (Object.values({ ...changes, settings: undefined, ...settings }).every((value) => value === undefined)) {
    throw wrongUse('line', 'Nothing was said about the printer: name its line, for example.')
  }
  await session.show(await client.patch<Printer>(`/admin/printers/${id}`, changes), printerText)
}

async function test(reference: string, session: Session): Promise<void> {
  const client = await session.client()
  const { id } = await deviceNamed(client, reference)
  const tested = await client.post<PrinterTest>(`/admin/printers/${id}/test`)
  await session.show(tested, testText)
  if (tested.status === 'failed' || tested.status === 'expired') session.exitCode = 1
}

const TESTED: Record<string, string> = {
  printed: 'The printer says that the page is out. Look which line of letters is right.',
  unconfirmed: 'The page was sent; the printer does not say whether it is out.',
  failed: 'The page did not come out.',
  expired: 'The page was not sent.',
}

function testText({ status, detail, printer }: PrinterTest): string {
  const why = detail === null ? '' : paragraph('', detail)
  return `${TESTED[status] ?? status}\n${why}\n${printerText(printer)}`
}

async function status(reference: string | undefined, session: Session): Promise<void> {
  const client = await session.client()
  const device = reference === undefined ? undefined : await deviceNamed(client, reference)
  const all = await client.get<PrinterList>('/admin/printers?look=true')
  const data = device ? all.data.filter((one) => one.device.id === device.id) : all.data
  if (device && data.length === 0) {
    throw missing('device', `${device.label} has no printer.`, 'Give it one: fisk printer set DEVICE --line LINE')
  }
  await session.show({ ...all, data }, () => data.map(printerText).join('\n') || 'No device has a printer.\n')
  if (!data.every(({ condition }) => isWell(condition))) session.exitCode = 1
}
