import { PrinterList, PrinterSchema } from '../../contract/admin/printers.ts'
import { FreshSchema, type TakenOverView } from '../../contract/admin/replacement.ts'
import { StatusSchema } from '../../contract/admin/status.ts'
import type { DeviceView } from '../../contract/v1/fleet.ts'
import { commandFor, shellWord } from '../../domain/shell-word.ts'
import type { Command } from '../command.ts'
import { isRunning } from '../daemon/client.ts'
import { devicesNamed } from '../daemon/references.ts'
import { broken, Failure } from '../failure.ts'
import { printerOptions, several } from '../options.ts'
import { certificatesStep } from '../replace/certificates-step.ts'
import { enrolStep, requireToken, type ServerAccess } from '../replace/enrol-step.ts'
import type { ReplacedDevice, ReplaceOptions, ReplaceResult, ReplaceSetup } from '../replace/replacement.ts'
import { replacedText } from '../replace/summary.ts'
import { takeOverStep } from '../replace/take-over-step.ts'
import { secretOptions } from '../secrets.ts'
import type { Session } from '../session.ts'
import { firmwareKeys, keyStep } from '../setup/key-step.ts'
import { machineStep } from '../setup/machine-step.ts'
import { deploymentModeStep } from '../setup/mode-step.ts'
import { printerStep } from '../setup/printer-step.ts'
import { testedStep } from '../setup/printer-test.ts'
import { runSteps } from '../setup/run-steps.ts'
import { startStep } from '../setup/service-step.ts'
import { announce, askAuthority, complain, type Groundwork, isIncomplete, type SetupCompany } from '../setup/setup.ts'
import { baseUrls, caFacts } from '../setup/summary.ts'
import { clean } from '../text/columns.ts'

export function register(program: Command, session: Session): void {
  program
    .command('replace')
    .description(
      'Make this new machine the gateway that a broken one was: same devices, numbers that go on, nothing to type into ' +
        'the central server. Asks for what the server cannot know. Run it again after an interruption: it goes on where ' +
        'it stopped.\nExit code 1: something is left to do before it can sell.',
    )
    .argument('[url]', 'address of the central server; asked for where it is missing')
    .argument('[token]', 'the token, from: fisk gateway add NAME --again')
    .option('--ca <file>', 'CA to believe, PEM, where a balancer has its own certificate')
    .option(
      '--highest <premises=number>',
      'last number of the old machine, from paper; once for each premises',
      several,
    )
    .option(
      '--gap <count>',
      'skip so many numbers wherever none is stated (default: 1000 for each day without the old machine, and 10000)',
    )
    .option('--listen <addresses...>', 'its addresses that firmware on the network reaches; loopback: none')
    .option('--trust-file <files...>', 'trust the CAs in files, for both lists, instead of a download')
    .option('--cert-file <file>', 'PKCS#12 file of the fiscal certificate')
    .with(secretOptions('passphrase'))
    .option('--wait-certificate <minutes>', 'wait until the office has uploaded the certificate in the dashboard')
    .with(printerOptions())
    .option('--no-key', 'make no API key')
    .addHelpText('after', EXAMPLE)
    .action((url: string | undefined, token: string | undefined, options: ReplaceOptions) =>
      runReplace(accessOf(url, token), options, session),
    )
}

const EXAMPLE = `
Example:
  sudo fisk replace
  sudo fisk replace https://fisk.example.com:8443 fisk_enroll_...
  sudo fisk replace https://fisk.example.com:8443 fisk_enroll_... \\
    --cert-file fiskal1.p12 --passphrase-file passphrase.txt \\
    --highest POSL1=1234`

/** One argument is the token alone, or the address alone. */
function accessOf(first: string | undefined, second: string | undefined): ServerAccess {
  if (second !== undefined) return { url: first, token: second }
  return first?.startsWith('fisk_enroll_') ? { url: undefined, token: first } : { url: first, token: undefined }
}

function runReplace(access: ServerAccess, options: ReplaceOptions, session: Session): Promise<void> {
  if (access.token !== undefined) requireToken(access.token)
  return runSteps(session, options, async (ground) => {
    if (!(await isRunning(session.socketPath())) && !(await startStep(ground))) throw notRunning(session)
    await (await session.client()).get('/admin/sync/replacement', FreshSchema)
    await machineStep(ground)
    const result = await allSteps(ground, access)
    await session.show(result, replacedText)
    if (isIncomplete(result.steps) || result.can_sell === false) session.exitCode = 1
  })
}

const notRunning = (session: Session) =>
  broken(
    'daemon_unreachable',
    `No daemon answers on ${session.socketPath()}, and systemd does not run one here.`,
    'Start it, then run again: sudo systemctl start fiskd; sudo fisk replace',
  )

async function allSteps(
  ground: Groundwork & { options: ReplaceOptions },
  access: ServerAccess,
): Promise<ReplaceResult> {
  const { session, steps } = ground
  const client = await session.client()
  const setup: ReplaceSetup = { ...ground, client, status: await client.get('/admin/status', StatusSchema) }
  const { server, gateway } = await enrolStep(setup, access)
  announce(session, 'Taking over from the central server ...')
  const taken = await takeOverStep(setup)
  const companies = await certificatesStep(setup, taken)
  const [first] = companies
  if (first) await deploymentModeStep(setup, first)
  const authority = await askAuthority(setup)
  // A key that is made and not shown would be lost: nothing after the keys may fail.
  const devices = await devicesStep(setup, taken, companies)
  const status = await client.get('/admin/status', StatusSchema).catch(() => null)
  const { numbers, gap, without_jir, left_out, last_seen_at } = taken
  return {
    steps,
    gateway,
    server,
    devices,
    numbers,
    gap,
    without_jir,
    left_out,
    last_seen_at,
    ...caFacts(status ?? setup.status),
    base_urls: baseUrls(status ?? setup.status),
    authority,
    can_sell: status?.can_sell ?? null,
    problems: status?.problems ?? [],
  }
}

async function devicesStep(setup: ReplaceSetup, taken: TakenOverView, companies: readonly SetupCompany[]) {
  const found = []
  for (const known of taken.devices) {
    const [device] = await devicesNamed(setup.client, known.id)
    if (!device) throw new Error(`the daemon does not know the device ${known.id} that it took over`)
    await replacedPrinter(setup, device, known.printer)
    found.push({ known, device })
  }
  const devices: ReplacedDevice[] = []
  for (const { known, device } of found) {
    const company = companies.find(({ id }) => id === known.company_id)
    const { id, label, premises_code } = known
    const key = company ? await newKey(setup, company, device) : null
    devices.push({ id, label, premises_code, key })
  }
  return devices
}

async function newKey(setup: ReplaceSetup, company: SetupCompany, device: DeviceView) {
  const of = { device, isNew: true }
  const existing = await firmwareKeys(setup.client, company, of)
  const { key = true, ...options } = setup.options
  return keyStep({ ...setup, options: { ...options, ...(existing.length === 0 && { key }) } }, company, of, existing)
}

type KnownPrinter = NonNullable<TakenOverView['devices'][number]['printer']>

/** A person confirms where it is connected: the daemon writes to that line, and no server may choose it. */
async function replacedPrinter(setup: ReplaceSetup, device: DeviceView, known: KnownPrinter | null): Promise<void> {
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
