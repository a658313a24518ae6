import { type Command, Option } from 'commander'
import { CompanySchema, type CompanyView } from '../../../contract/v1/fleet.ts'
import type { Mode } from '../../../domain/sale/sale.ts'
import { ACTIVE_STATUSES } from '../../../domain/statuses.ts'
import { type ConfigChoice, changedConfig, configOptions } from '../../config-options.ts'
import { consent, requireSomebody, yesOption } from '../../consent.ts'
import { companyNamed } from '../../daemon/companies.ts'
import { wrongUse } from '../../failure.ts'
import {
  type Address,
  addressFields,
  addressOptions,
  modeOption,
  notVatRegisteredOption,
  vatRateOption,
} from '../../options.ts'
import type { Session } from '../../session.ts'
import { clean } from '../../text/columns.ts'
import { companyText } from '../../text/company-text.ts'

interface Options extends ConfigChoice, Address {
  name?: string
  vatRegistered?: true
  notVatRegistered?: true
  vatRate?: string | false
  mode?: Mode
  status?: string
  yes?: true
}

export function register(company: Command, session: Session): void {
  const set = company
    .command('set')
    .description('Change a company; what is not named stays. Its OIB never changes.')
    .argument('<company>', 'OIB or id')
    .option('--name <name>', 'its name')
  for (const option of addressOptions()) set.addOption(option)
  set.addOption(new Option('--vat-registered', 'the company is in the VAT system').conflicts('notVatRegistered'))
  set
    .addOption(notVatRegisteredOption())
    .addOption(vatRateOption())
    .option('--no-vat-rate', 'have no such default')
    .addOption(modeOption('which tax authority it reports to; live makes real receipts'))
    .addOption(new Option('--status <status>', 'only an active company can sell').choices(ACTIVE_STATUSES))
  for (const option of configOptions('of this company')) set.addOption(option)
  set
    .addOption(yesOption())
    .addHelpText(
      'after',
      '\nExample:\n  fisk company set 02994650199 --vat-rate 13.00 --receipt-footer "Hvala!"\n' +
        '  fisk company set 02994650199 --mode live --yes',
    )
    .action((reference: string, options: Options) => setCompany(reference, options, session))
}

async function setCompany(reference: string, options: Options, session: Session): Promise<void> {
  const { mode, status, yes } = options
  if (mode !== undefined || stops(status)) requireSomebody(session, yes)
  const client = await session.client()
  const company = await companyNamed(client, reference)
  const changes = changesOf(options, company)
  if (Object.values(changes).every((value) => value === undefined)) {
    throw wrongUse('company', 'Nothing was said about the company: add what is to change, such as --name.')
  }
  const name = clean(company.name)
  if (mode !== undefined && mode !== company.mode) await consent(session, yes, `${name}: ${GOES_TO[mode]}`)
  if (stops(status)) await consent(session, yes, `No device of ${name} can sell while it is ${status}. Do it?`)
  await session.show(await client.patch(`/v1/companies/${company.id}`, CompanySchema, changes), companyText)
}

const GOES_TO: Record<Mode, string> = {
  live: 'from now on every sale makes a real receipt and is reported to the tax authority. Go live?',
  test: 'from now on no sale is reported as a real one. Go back to the test service?',
}

const stops = (status: string | undefined) => status !== undefined && status !== 'active'

/** Address and configuration are replaced as a whole: what is there and not named goes along. */
function changesOf(options: Options, { address, fiscal_config }: CompanyView) {
  const { name, vatRegistered, notVatRegistered, vatRate, config = [], unset = [], mode, status } = options
  const given = addressFields(options)
  const choice = {
    ...options,
    config: typeof vatRate === 'string' ? [...config, ['default_vat_rate', vatRate] as [string, unknown]] : config,
    unset: vatRate === false ? [...unset, 'default_vat_rate'] : unset,
  }
  return {
    name,
    vat_registered: vatRegistered ?? (notVatRegistered ? false : undefined),
    address: given && { ...address, ...given },
    fiscal_config: changedConfig(fiscal_config, choice),
    mode,
    status,
  }
}
