import { type Command, Option } from 'commander'
import type { Status } from '../answers.ts'
import { isRunning } from '../client.ts'
import { modeOption, vatOptions } from '../options.ts'
import { secretOptions } from '../secrets.ts'
import type { Session } from '../session.ts'
import { certificateStep, trustStep } from '../setup/certificate-step.ts'
import { companyStep, refuseWithoutCompany } from '../setup/company-step.ts'
import { deviceStep } from '../setup/device-step.ts'
import { keyStep } from '../setup/key-step.ts'
import { prepare, preparedText } from '../setup/prepare.ts'
import { asksForSetup, type Setup, type SetupOptions, type SetupResult } from '../setup/setup.ts'
import { caFile, stepsText, summaryText } from '../setup/summary.ts'
import { paragraph } from '../text.ts'

export function register(program: Command, session: Session): void {
  const init = program
    .command('init')
    .description(
      'Set up this gateway. Asks for what is missing, or takes it from flags; can be run again.\n' +
        'Before the daemon has been started it makes the data directory, keys and database.',
    )
    .option('--oib <oib>', 'OIB of the company')
    .option('--name <name>', 'name of the company')
    .addOption(modeOption('which tax authority it reports to (default: test)'))
  for (const option of vatOptions()) init.addOption(option)
  init
    .option('--trust-fetch', "download the CA certificates of the tax authority's service")
    .addOption(new Option('--trust-file <files...>', 'trust the CA certificates in files').conflicts('trustFetch'))
    .option('--cert-file <file>', 'PKCS#12 file of its fiscal certificate')
  for (const option of secretOptions('passphrase')) init.addOption(option)
  init
    .option('--premises <code>', 'business premises code of the machine')
    .option('--label <label>', 'name of the machine')
    .option('--address <text>', 'where the machine stands, for people')
    .option('--isu <number>', 'ISU number of the machine')
    .option('--key', 'make an API key (without the flag: only for a machine that is new)')
    .option('--no-key', 'make no API key')
    .addHelpText('after', EXAMPLE)
    .action((options: SetupOptions) => runInit(options, session))
}

const EXAMPLE = `
Example:
  fisk init
  fisk init --oib 02994650199 --name "Kava d.o.o." --vat-rate 25.00 \\
    --trust-fetch --cert-file fiskal1.p12 --passphrase-file passphrase.txt \\
    --premises POSL1 --label "Lobby 1" --isu 12345`

async function runInit(options: SetupOptions, session: Session): Promise<void> {
  if (!(await isRunning(session.socketPath()))) return prepareOnly(options, session)
  const client = await session.client()
  const prompter = session.mayAsk() ? await (await import('../prompts.ts')).createPrompter(session.io) : null
  const status = await client.get<Status>('/admin/status')
  const setup: Setup = { session, client, options, prompter, status, steps: [] }
  const result = await allSteps(setup)
  await session.show(result, summaryText)
  const incomplete = result.steps.some(({ step, state }) => state === 'left' && step !== 'key')
  if (incomplete && prompter === null && !asksForSetup(options)) session.exitCode = 1
}

async function prepareOnly(options: SetupOptions, session: Session): Promise<void> {
  await session.show(await prepare(session.io), preparedText)
  if (!asksForSetup(options)) return
  session.exitCode = 1
  const why = `No daemon answers on ${session.socketPath()}, so what the flags ask for could not be done.`
  session.io.stderr.write(paragraph('', `${why} Start fiskd and repeat the same command.`))
}

async function allSteps(setup: Setup): Promise<SetupResult> {
  try {
    return await inOrder(setup)
  } catch (error) {
    // What was done stays done; the next run finds it.
    if (!setup.session.wantsJson() && setup.steps.length > 0) setup.session.print(`\n${stepsText(setup.steps)}\n`)
    throw error
  }
}

async function inOrder(setup: Setup): Promise<SetupResult> {
  const { steps, session } = setup
  const company = await companyStep(setup)
  if (company === null) {
    refuseWithoutCompany(setup)
    return { steps, company_id: null, device_id: null, key: null, ca_file: caFile(session) }
  }
  await trustStep(setup, company)
  await certificateStep(setup, company)
  const device = await deviceStep(setup, company)
  // Last: a key that is made and not shown would be lost.
  const key = await keyStep(setup, company, device)
  return { steps, company_id: company.id, device_id: device?.device.id ?? null, key, ca_file: caFile(session) }
}
