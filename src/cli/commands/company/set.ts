import { basename } from 'node:path'
import { type Command, Option } from 'commander'
import { CompanySchema, type CompanyView } from '../../../contract/v1/fleet.ts'
import type { Mode } from '../../../domain/sale/sale.ts'
import { ACTIVE_STATUSES } from '../../../domain/statuses.ts'
import { RECEIPT_LOGO_BYTES } from '../../../domain/upload.ts'
import { type ConfigChoice, changedConfig, configOptions } from '../../config-options.ts'
import { consent, requireSomebody, yesOption } from '../../consent.ts'
import { companyNamed } from '../../daemon/companies.ts'
import { refused, wrongUse } from '../../failure.ts'
import { readInput } from '../../files.ts'
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
  /** False for none. */
  logo?: string | false
  logoWidth?: string
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
    .option('--logo <file>', 'print this PNG picture above its receipts')
    .option('--no-logo', 'print no logo any more')
    .option('--logo-width <mm>', 'how wide; without it at most 15 mm high')
  set
    .addOption(yesOption())
    .addHelpText(
      'after',
      '\nExample:\n  fisk company set 02994650199 --vat-rate 13.00 --receipt-footer "Hvala!"\n' +
        '  fisk company set 02994650199 --logo logo.png --logo-width 40\n' +
        '  fisk company set 02994650199 --mode live --yes',
    )
    .action((reference: string, options: Options) => setCompany(reference, options, session))
}

async function setCompany(reference: string, options: Options, session: Session): Promise<void> {
  const { mode, status, yes, logo, logoWidth } = options
  if (mode !== undefined || stops(status)) requireSomebody(session, yes)
  const client = await session.client()
  const company = await companyNamed(client, reference)
  const changes = changesOf(options, company)
  const isChanged = Object.values(changes).some((value) => value !== undefined)
  if (logoWidth !== undefined && typeof logo !== 'string')
    throw wrongUse('logo-width', 'Name the picture, too: --logo FILE.')
  const form = typeof logo === 'string' ? await logoForm(logo, logoWidth) : undefined
  if (!isChanged && logo === undefined) {
    throw wrongUse('company', 'Nothing was said about the company: add what is to change, such as --name.')
  }
  const name = clean(company.name)
  if (mode !== undefined && mode !== company.mode) await consent(session, yes, `${name}: ${GOES_TO[mode]}`)
  if (stops(status)) await consent(session, yes, `No device of ${name} can sell while it is ${status}. Do it?`)
  const path = `/v1/companies/${company.id}`
  const changed = isChanged ? await client.patch(path, CompanySchema, changes) : company
  const shown = form
    ? await client.upload(`${path}/logo`, CompanySchema, form, 'PUT')
    : logo === false
      ? await client.delete(`${path}/logo`, CompanySchema)
      : changed
  await session.show(shown, companyText)
}

/** A file that is too large is refused here: the daemon would hang up in the middle of it. */
async function logoForm(path: string, widthMm: string | undefined): Promise<FormData> {
  const bytes = await readInput('logo', path)
  if (bytes.length > RECEIPT_LOGO_BYTES) {
    throw refused('file_too_large', 'logo', `${path} is larger than ${RECEIPT_LOGO_BYTES / 1024} KB: make it smaller.`)
  }
  const form = new FormData()
  if (widthMm !== undefined) form.set('width_mm', widthMm)
  form.set('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), basename(path))
  return form
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
