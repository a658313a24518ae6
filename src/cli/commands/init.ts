import { Option } from 'commander'
import { StatusSchema, type StatusView } from '../../contract/admin/status.ts'
import { DeviceSchema, type DeviceView } from '../../contract/v1/fleet.ts'
import type { Command } from '../command.ts'
import { type Client, isRunning } from '../daemon/client.ts'
import { allRows } from '../daemon/lists.ts'
import { addressOptions, modeOption, printerOptions, vatOptions } from '../options.ts'
import { secretOptions } from '../secrets.ts'
import type { Session } from '../session.ts'
import { addressStep, placeStep } from '../setup/address-step.ts'
import { isCentralServer, refuseIdleFlags, setUpCentralServer } from '../setup/central-server.ts'
import { certificateStep } from '../setup/certificate-step.ts'
import { companyStep, refuseWithoutCompany } from '../setup/company-step.ts'
import { depositStep } from '../setup/deposit-step.ts'
import { deviceStep } from '../setup/device-step.ts'
import { firmwareKeys, keyStep } from '../setup/key-step.ts'
import { machineStep, roleQuestion } from '../setup/machine-step.ts'
import { deploymentModeStep } from '../setup/mode-step.ts'
import { requireNoOther } from '../setup/other-installation.ts'
import { prepare, preparedText } from '../setup/prepare.ts'
import { printerStep } from '../setup/printer-step.ts'
import { runSteps } from '../setup/run-steps.ts'
import { serverStep } from '../setup/server-step.ts'
import { startStep } from '../setup/service-step.ts'
import {
  askAuthority,
  asksForSetup,
  type Groundwork,
  isIncomplete,
  type Setup,
  type SetupOptions,
  type SetupResult,
} from '../setup/setup.ts'
import { baseUrls, caFacts, summaryText } from '../setup/summary.ts'
import { trustStep } from '../setup/trust-step.ts'
import { paragraph } from '../text/columns.ts'

export function register(program: Command, session: Session): void {
  program
    .command('init')
    .description(
      'Set up this gateway or server. Asks for what is missing, or takes it from flags; can be run again.\n' +
        'Where systemd runs fiskd it is started; elsewhere the data directory, keys and database are made.\n' +
        'Exit code 1: something is left to do before it can sell.',
    )
    .choice('--role <role>', 'what this machine is (default: gateway)', ['gateway', 'server'])
    .option(
      '--listen <addresses...>',
      'its addresses that firmware on the network reaches; 0.0.0.0: all that it has now or gets later; loopback: none',
    )
    .option('--oib <oib>', 'OIB of the company')
    .option('--name <name>', 'name of the company')
    .addOption(modeOption('which tax authority it reports to (default: test); live: real receipts'))
    .with(vatOptions())
    .with(addressOptions())
    .option('--trust-fetch', "download the CA certificates of the tax authority's service")
    .addOption(new Option('--trust-file <files...>', 'trust the CAs in files, for both lists').conflicts('trustFetch'))
    .option('--cert-file <file>', 'PKCS#12 file of its fiscal certificate')
    .with(secretOptions('passphrase'))
    .with(secretOptions('password'))
    .option('--premises <code>', 'business premises code of the machine')
    .option('--label <label>', 'name of the machine; needed where there are several')
    .option('--address <text>', 'where the machine stands')
    .option('--isu <number>', 'ISU number of the machine')
    .option('--no-isu', 'the tax authority has not issued its ISU number yet')
    .with(printerOptions())
    .option('--sync-url <url>', 'address of the central server; FISKD_SYNC_URL without it')
    .option('--sync-token <token>', 'its token for this gateway, from: fisk gateway add')
    .option('--database-url <url>', 'with --role server: its PostgreSQL database, for several processes')
    .option('--processes <number>', 'with --database-url: how many processes on this machine (default: 3)')
    .option('--user <name>', 'with --database-url: who administers the dashboard')
    .option('--gateway <name>', 'with --database-url: make this gateway, and show its token')
    .option('--key', 'make an API key (without the flag: only for a machine that is new)')
    .option('--no-key', 'make no API key')
    .option('--yes', 'with --mode live: do not ask whether it is meant')
    .option('--new', 'make an installation of its own beside another one')
    .addHelpText('after', EXAMPLE)
    .action((options: SetupOptions) => runSteps(session, options, setUpMachine))
}

const EXAMPLE = `
Example:
  fisk init
  fisk init --oib 02994650199 --name "Kava d.o.o." --vat-rate 25.00 \\
    --street "Ilica 1" --postal-code 10000 --city Zagreb \\
    --trust-fetch --cert-file fiskal1.p12 --passphrase-file passphrase.txt \\
    --premises POSL1 --label "Lobby 1" --isu 12345 --no-printer
  fisk init --role server --listen fiskd.example.hr --processes 3 \\
    --database-url 'postgres://fiskd@/fiskd?host=/run/postgresql' \\
    --user ana@example.hr --password-file password.txt --gateway kiosk-7`

async function setUpMachine(ground: Groundwork): Promise<void> {
  const { session } = ground
  await roleQuestion(ground)
  const isCentral = await isCentralServer(ground)
  refuseIdleFlags(ground.options, isCentral)
  if (isCentral) return setUpCentralServer(ground)
  const runs = await isRunning(session.socketPath())
  await machineStep(ground)
  if (!runs && !(await startStep(ground))) return prepareOnly(ground)
  await session.show(await allSteps(ground), summaryText, ({ steps }) => !isIncomplete(steps))
}

async function prepareOnly({ options, session }: Groundwork): Promise<void> {
  if (!options.new) await requireNoOther(session)
  await session.show(await prepare(session.io), preparedText)
  if (!asksForSetup(options)) return
  session.exitCode = 1
  const why = `No daemon answers on ${session.socketPath()}, so what the flags ask for could not be done.`
  session.io.stderr.write(paragraph('', `${why} Start fiskd and repeat the same command.`, session.screen))
}

async function allSteps(ground: Groundwork): Promise<SetupResult> {
  const { session, steps } = ground
  const client = await session.client()
  const setup: Setup = { ...ground, client, status: await client.get('/admin/status', StatusSchema) }
  const { key = null, device = null, companyId = null } = (await companySteps(setup)) ?? {}
  // A key that is made and not shown would be lost: nothing from here on may fail.
  const authority = companyId === null ? [] : await askAuthority(setup)
  const status = await statusOf(client, device).catch(() => null)
  return {
    steps,
    company_id: companyId,
    device_id: device?.id ?? null,
    key,
    ...caFacts(status ?? setup.status),
    base_urls: baseUrls(status ?? setup.status),
    isu_pending: device?.isu_number === null ? portalFacts(device) : null,
    authority,
    can_sell: status && (await canSell(setup, companyId, device, status)),
    problems: status?.problems ?? [],
  }
}

/** Of the machine that was set up; where it is not one, of everything here. */
const statusOf = (client: Client, device: DeviceView | null) =>
  client.get(`/admin/status${device ? `?device_id=${device.id}` : ''}`, StatusSchema)

/** Whether the machine that was set up can sell, or one of its company; others do not count. Null where none is meant. */
async function canSell({ client }: Setup, company_id: string | null, device: DeviceView | null, now: StatusView) {
  if (device !== null || !now.can_sell || now.role === 'server') return now.can_sell
  if (company_id === null) return null
  for (const one of await allRows(client, '/v1/devices', DeviceSchema, { company_id, status: 'active' }))
    if ((await statusOf(client, one)).can_sell) return true
  return false
}

function portalFacts({ label, premises_code, premises_address }: DeviceView): SetupResult['isu_pending'] {
  return { label, premises_code, premises_address }
}

async function companySteps(setup: Setup) {
  const company = await companyStep(setup)
  if (company === null) return refuseWithoutCompany(setup)
  // A question about it waits until there is a printer.
  if (!setup.prompter) await addressStep(setup, company, false)
  await deploymentModeStep(setup, company)
  await trustStep(setup, company)
  await certificateStep(setup, company)
  const machine = await deviceStep(setup, company)
  if (machine?.isNew) await depositStep(setup, company)
  const keys = await firmwareKeys(setup.client, company, machine)
  const prints = machine !== null && (await printerStep(setup, machine.device, machine.isNew || keys.length === 0))
  await addressStep(setup, company, prints)
  const device = machine && (await placeStep(setup, machine.device, prints))
  await serverStep(setup, machine?.isNew === true)
  const key = await keyStep(setup, company, machine, keys)
  return { key, device, companyId: company.id }
}
