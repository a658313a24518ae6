import { PrinterList, PrinterSchema } from '../../contract/admin/printers.ts'
import type { TakenOverView } from '../../contract/admin/replacement.ts'
import type { DeviceView } from '../../contract/v1/fleet.ts'
import { commandFor, shellWord } from '../../domain/shell-word.ts'
import { Failure } from '../failure.ts'
import { printerStep } from '../setup/printer-step.ts'
import { testedStep } from '../setup/printer-test.ts'
import { complain } from '../setup/setup.ts'
import { clean } from '../text/columns.ts'
import type { ReplaceSetup } from './replacement.ts'

type KnownPrinter = NonNullable<TakenOverView['devices'][number]['printer']>

/**
 * Gives a device its printer: by flags, or as the old machine had it. A person confirms where it is connected, because
 * the daemon writes to that line, and no server may choose it.
 */
export async function replacedPrinter(
  setup: ReplaceSetup,
  device: DeviceView,
  known: KnownPrinter | null,
): Promise<void> {
  const { client, options, prompter, steps } = setup
  const { data } = await client.get('/admin/printers', PrinterList)
  const isSet = data.some((printer) => printer.device.id === device.id)
  const byFlags = options.printerLine !== undefined || !options.printer
  if (known === null || isSet || byFlags) return void (await printerStep(setup, device, !isSet))
  const { line, profile } = known
  const was = `${clean(profile)} at ${clean(line)}`
  if (prompter === null) {
    const wanted = ` --line ${shellWord(line)} --profile ${shellWord(profile)}`
    const detail = `it was ${was}: ${commandFor('fisk printer set', device.label, { options: wanted })}`
    steps.push({ step: 'printer', state: 'left', detail, optional: true })
    return
  }
  const isThere = await prompter.confirm(`The printer of "${clean(device.label)}" was ${was}. Is it there now?`, true)
  if (!isThere || !(await give(setup, device, known))) await printerStep(setup, device, true)
}

/** @returns false when this daemon does not take these settings */
async function give(
  setup: ReplaceSetup,
  device: DeviceView,
  { line, profile, ...rest }: KnownPrinter,
): Promise<boolean> {
  const { client, session } = setup
  try {
    await client.patch(`/admin/printers/${device.id}`, PrinterSchema, { line, profile, ...rest })
  } catch (error) {
    if (!(error instanceof Failure) || error.body.error.code === 'daemon_unreachable') throw error
    complain(session, error)
    return false
  }
  await testedStep(setup, device, `${clean(profile)} at ${clean(line)}, as before`)
  return true
}
