import { PrinterList, type PrinterListView, PrinterSchema, type PrinterView } from '../../contract/admin/printers.ts'
import type { DeviceView } from '../../contract/v1/fleet.ts'
import { formatLineAddress, PRINTER_PROFILES, type PrinterProfile, parseLineAddress } from '../../domain/printer.ts'
import { commandFor, shellWord, withDeviceName } from '../../domain/shell-word.ts'
import { wrongUse } from '../failure.ts'
import type { Prompter } from '../prompts.ts'
import { clean } from '../text/columns.ts'
import { testedStep } from './printer-test.ts'
import { otherwise, type Setup, type Step } from './setup.ts'

interface Choice {
  line: string
  profile: PrinterProfile
}

/** @param mayAsk it is being set up; a finished one without a printer is to have none @returns whether it has one */
export async function printerStep(setup: Setup, device: DeviceView, mayAsk: boolean): Promise<boolean> {
  const { client, options, prompter, steps } = setup
  const list = await client.get('/admin/printers', PrinterList)
  const known = list.data.find((printer) => printer.device.id === device.id)
  if (known) {
    keep(setup, device, known)
    return true
  }
  const none = 'none; for one: fisk printer set'
  const without = (step: Omit<Step, 'step'>) => {
    steps.push({ step: 'printer', ...step })
    return false
  }
  if (!options.printer) return without({ state: 'already', detail: none })
  const asker = mayAsk || options.printerProfile !== undefined ? prompter : null
  const choice = flagged(setup) ?? (asker && (await ask(asker, list, options.printerProfile)))
  if (choice) {
    const { line, profile } = choice
    await client.patch(`/admin/printers/${device.id}`, PrinterSchema, { line, profile })
    await testedStep(setup, device, `${profile} at ${line}`)
    return true
  }
  if (!mayAsk || prompter) return without({ state: 'already', detail: none })
  const detail = `${withDeviceName('fisk printer set DEVICE --line LINE', device.label)}; fisk printer list shows lines`
  return without({ state: 'left', detail, optional: true })
}

function keep({ options, steps }: Setup, { label }: DeviceView, { line, profile }: PrinterView): void {
  const { printer, printerLine, printerProfile } = options
  const otherLine = printerLine !== undefined && normal(printerLine) !== line
  if (!printer || otherLine || (printerProfile !== undefined && printerProfile !== profile)) {
    const kind = printerProfile === undefined ? '' : ` --profile ${printerProfile}`
    const wanted = printer ? `${otherLine ? ` --line ${shellWord(printerLine)}` : ''}${kind}` : ' --none'
    const command = commandFor('fisk printer set', label, { options: wanted })
    const param = printer ? (otherLine ? 'printer-line' : 'printer-profile') : 'printer'
    throw otherwise(param, `"${label}" has a printer already: ${profile} at ${line}.`, command)
  }
  steps.push({ step: 'printer', state: 'already', detail: `${profile} at ${line}` })
}

function flagged({ options, prompter }: Setup): Choice | null {
  const { printerLine, printerProfile } = options
  if (printerLine === undefined) {
    if (printerProfile === undefined || prompter) return null
    throw wrongUse('printer-line', 'Where is the printer?', 'Give --printer-line LINE; fisk printer list shows lines.')
  }
  const fault = lineFault(printerLine)
  if (fault) throw wrongUse('printer-line', `"${printerLine}": ${fault}`)
  return { line: printerLine, profile: printerProfile ?? 'generic' }
}

const OTHER = 'other'
const NONE = 'none'

/** @returns null when there is none */
async function ask(
  prompter: Prompter,
  list: PrinterListView,
  profile: PrinterProfile | undefined,
): Promise<Choice | null> {
  const users = new Map(list.data.map(({ line, device }) => [line, device.label]))
  const found = list.found.map((line) => {
    const user = users.get(line)
    return { value: line, label: clean(user === undefined ? line : `${line} (of "${user}")`) }
  })
  const question = found.length > 0 ? 'Which printer prints its receipts?' : 'No printer was found. Is there one?'
  const chosen = await prompter.choose(question, [
    ...found,
    { value: OTHER, label: 'One on the network, or on another line' },
    { value: NONE, label: 'No printer' },
  ])
  if (chosen === NONE) return null
  const typed = 'Its line: tcp:HOST:9100, usb:/dev/usb/lp0 or serial:/dev/ttyS0'
  const line = chosen === OTHER ? await prompter.text(typed, lineFault) : chosen
  return { line, profile: profile ?? (await askProfile(prompter)) }
}

function askProfile(prompter: Prompter): Promise<PrinterProfile> {
  const kinds = PRINTER_PROFILES.map((value) => ({ value, label: value === 'generic' ? 'generic: any other' : value }))
  return prompter.choose('What kind of printer is it?', [...kinds.slice(-1), ...kinds.slice(0, -1)])
}

function lineFault(text: string): string | undefined {
  if (parseLineAddress(text)) return undefined
  return 'no line to a printer: serial:/dev/..., usb:/dev/usb/lp0, tcp:HOST:9100 or file:/PATH'
}

function normal(line: string): string {
  const address = parseLineAddress(line)
  return address ? formatLineAddress(address) : line
}
