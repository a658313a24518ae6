import { Option } from 'commander'
import {
  PrinterList,
  type PrinterListView,
  PrinterSchema,
  PrinterTestSchema,
  type PrinterTestView,
} from '../../contract/admin/printers.ts'
import { PRINTER_CHOICES, PRINTER_PROFILES } from '../../domain/printer.ts'
import { PROFILE_NOTES } from '../../domain/printing/printer-profile-notes.ts'
import { withDeviceName } from '../../domain/shell-word.ts'
import { snakeCase } from '../../domain/texts/snake-case.ts'
import type { Command, Flags, Given } from '../command.ts'
import { consent, requireSomebody, yesOption } from '../consent.ts'
import { deviceNamed } from '../daemon/references.ts'
import { missing, wrongUse } from '../failure.ts'
import { numberAs } from '../options.ts'
import { during } from '../progress.ts'
import type { Session } from '../session.ts'
import { clean, paragraph } from '../text/columns.ts'
import { isWell, printerText, printerWord } from '../text/printer-text.ts'
import type { Screen } from '../text/screen.ts'
import { table } from '../text/table.ts'

export function register(program: Command, session: Session): void {
  const printer = program.command('printer').description('Receipt printers: one for each device that has one')
  printer
    .subcommand('list', 'The printers that are set, and the lines of this machine where one may be.')
    .examples('fisk printer list')
    .action(() => session.ask((client) => client.get('/admin/printers', PrinterList), listText))
  printer
    .command('set')
    .description('Give a device its printer, or change it; what is not named stays. In force for the next receipt.')
    .argument('<device>', 'label or id')
    .option(
      '--line <line>',
      'serial:/dev/serial/by-id/NAME, usb:/dev/usb/lp0, tcp:HOST:9100 or file:/PATH; see `fisk printer list`',
    )
    .choice('--profile <name>', 'what kind of printer it is', PRINTER_PROFILES)
    .with(SETTINGS)
    .addOption(setting('--expire-after <seconds>', 'a receipt that waited longer is not printed, 5 to 3600; 90', whole))
    .option('--reset', 'forget what was set before and differs from the profile')
    .option('--shared', 'change it for all devices that share its line')
    .option('--none', 'the device has no printer any more')
    .addOption(yesOption())
    .addHelpText(
      'after',
      '\nExample:\n  fisk printer set "Lobby 1" --line usb:/dev/usb/lp0 --profile epson-tm-t20\n' +
        '  fisk printer set "Lobby 1" --encoding windows1250 --code-page 45\n\n' +
        `Profiles, and what each was tested with:\n${profiles()}`,
    )
    .action((device: string, options: SetOptions) => setPrinter(device, options, session))
  printer
    .command('test')
    .description(
      'Print a page with all letters, the code pages and the QR code. Exit code 1 when it does not come out.',
    )
    .argument('<device>', 'label or id')
    .examples('fisk printer test "Lobby 1"')
    .action((device: string) => test(device, session))
  printer
    .subcommand('status', 'Ask the printers how they are. Exit code 1 when one of them cannot print.')
    .argument('[device]', 'label or id; all of them when left out')
    .examples('fisk printer status', 'fisk printer status "Lobby 1"')
    .action((device: string | undefined) => status(device, session))
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
  const others =
    free.length === 0 ? 'No other line to a printer was found on this machine.\n' : `Found as well:\n${lines}`
  const broken = unusable.map(({ name, problem, fix }) => paragraph('', `${name}: ${problem.en}. ${fix.en}`)).join('')
  return `${data.length === 0 ? 'No device has a printer.' : printers}\n\n${others}${broken}`
}

const whole = numberAs(/^\d{1,9}$/, 'It is a whole number.')

/** @param values what it may be; left out: any text */
function setting(flags: string, about: string, values?: readonly (string | number)[] | typeof whole): Option {
  const option = new Option(flags, about)
  if (typeof values === 'function') return option.argParser(values)
  return values ? option.choices(values.map(String)) : option
}

/** Options that go into the settings under their own name, with `_` for `-`. */
const SETTINGS = [
  setting('--commands <set>', "ESC/POS, or Star's own line or raster mode", PRINTER_CHOICES.commands),
  setting('--columns <n>', 'characters on a line: 48 on 80 mm paper, 32 on 58 mm', PRINTER_CHOICES.columns),
  setting('--dpi <n>', 'dots per inch; the size of the QR code follows from it', PRINTER_CHOICES.dpi),
  setting('--encoding <name>', 'how letters are sent', PRINTER_CHOICES.encoding),
  setting('--code-page <n>', 'its number on this printer; `fisk printer test` shows them', whole),
  setting('--small-font-dots <n>', 'width of its small font (font B), 0 without one', PRINTER_CHOICES.smallFontDots),
  setting('--qr <how>', "by the printer's own command, or as a picture", PRINTER_CHOICES.qr),
  setting('--pictures <how>', 'sent by GS v 0, or by ESC * where a printer lacks that', PRINTER_CHOICES.pictures),
  setting(
    '--cut <how>',
    "feed to the cutter and cut, cut where the paper is, by Custom's presenter or ejector, or neither",
    PRINTER_CHOICES.cut,
  ),
  setting('--feed-lines <n>', 'blank lines at the end, 0 to 20, for all cuts but `feed`', whole),
  setting('--logo <where>', 'written into the printer once, or sent with each receipt', PRINTER_CHOICES.logo),
  setting('--not-taken <how>', 'what the presenter does with a receipt that nobody takes', PRINTER_CHOICES.notTaken),
  setting('--not-taken-after-s <n>', 'how long it waits for that, 1 to 255 seconds', whole),
  setting('--before-hex <bytes>', 'raw bytes before each receipt, 256 at most'),
  setting('--after-hex <bytes>', 'raw bytes after it'),
  setting('--answers <when>', 'whether it answers questions about its state', PRINTER_CHOICES.answers),
  setting('--confirm <how>', 'how it tells that a receipt is out', PRINTER_CHOICES.confirm),
  setting('--answer-timeout-ms <n>', 'how long an answer may take, 50 to 10000', whole),
  setting('--confirm-timeout-ms <n>', 'how long printing may take, 500 to 120000', whole),
  setting('--baud-rate <n>', 'of a serial line', whole),
  setting('--parity <which>', 'of a serial line', PRINTER_CHOICES.parity),
  setting('--stop-bits <n>', 'of a serial line', PRINTER_CHOICES.stopBits),
  setting('--flow-control <how>', 'of a serial line', PRINTER_CHOICES.flowControl),
]

interface SetOptions extends Record<string, unknown>, Given<'line' | 'profile'>, Flags<'shared' | 'yes'> {
  expireAfter?: number
  reset?: boolean
  none?: boolean
}

function profiles(): string {
  return PRINTER_PROFILES.map((name) => {
    const { printers, testedWith } = PROFILE_NOTES[name]
    const sentences = testedWith.split('. ').map((sentence) => `\n      ${sentence}`)
    return `  ${name}: ${printers}${sentences.join('.')}`
  }).join('\n')
}

async function setPrinter(reference: string, options: SetOptions, session: Session): Promise<void> {
  const { line, profile, expireAfter, reset, shared, none, yes, ...others } = options
  if (none) {
    if (Object.keys(options).length > (yes ? 2 : 1)) {
      throw wrongUse('none', '--none takes the printer away: it stands alone.')
    }
    requireSomebody(session, yes)
  }
  const settings = Object.fromEntries(
    Object.entries(others).map(([name, value]) => {
      const isNumber = ['columns', 'dpi', 'smallFontDots', 'stopBits'].includes(name)
      return [snakeCase(name), isNumber ? Number(value) : value]
    }),
  )
  const client = await session.client()
  const { id, label } = await deviceNamed(client, reference)
  if (none) {
    await consent(session, yes, `Take the printer from "${clean(label)}"? It prints no receipts any more.`)
    await session.show(
      await client.delete(`/admin/printers/${id}`, PrinterSchema),
      () => 'It prints no receipts any more.\n',
    )
    return
  }
  const changes = { line, profile, expire_after_s: expireAfter, reset, shared, settings }
  if ([line, profile, expireAfter, reset, ...Object.values(settings)].every((value) => value === undefined)) {
    throw wrongUse('line', 'Nothing was said about the printer: name its line, for example.')
  }
  await session.show(await client.patch(`/admin/printers/${id}`, PrinterSchema, changes), printerText)
}

async function test(reference: string, session: Session): Promise<void> {
  const client = await session.client()
  const { id } = await deviceNamed(client, reference)
  const printing = client.post(`/admin/printers/${id}/test`, PrinterTestSchema)
  const tested = await during(session, 'Printing a test page', printing)
  await session.show(tested, testText, ({ status }) => status !== 'failed' && status !== 'expired')
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
  const command = withDeviceName('fisk printer set DEVICE --encoding NAME --code-page NUMBER', device.label)
  return paragraph('', `Are its letters wrong? Look which line of letters is right, and set that: ${command}`)
}

async function status(reference: string | undefined, session: Session): Promise<void> {
  const client = await session.client()
  const device = reference === undefined ? undefined : await deviceNamed(client, reference)
  const all = await client.get('/admin/printers?look=true', PrinterList)
  const data = device ? all.data.filter((one) => one.device.id === device.id) : all.data
  if (device && data.length === 0) {
    const fix = withDeviceName('Give it one: fisk printer set DEVICE --line LINE', device.label)
    throw missing('device', `${device.label} has no printer.`, fix)
  }
  await session.show(
    { ...all, data },
    (_, screen) => data.map((one) => printerText(one, screen)).join('\n') || 'No device has a printer.\n',
  )
  if (!data.every(({ condition }) => isWell(condition))) session.exitCode = 1
}
