import { Option } from 'commander'
import { CompanySchema, type CompanyView } from '../../contract/v1/fleet.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import { ACTIVE_STATUSES } from '../../domain/statuses.ts'
import { RECEIPT_LOGO_BYTES } from '../../domain/upload.ts'
import type { Command, Flags, Given, Needed } from '../command.ts'
import { type ConfigChoice, changedConfig, configOptions } from '../config-options.ts'
import { consent, GO_LIVE, requireSomebody, yesOption } from '../consent.ts'
import { type ListOptions, pages, showAll, tableOf } from '../daemon/lists.ts'
import { companyNamed } from '../daemon/references.ts'
import { wrongUse } from '../failure.ts'
import { formOf, readUpload } from '../files.ts'
import {
  type Address,
  addressFields,
  addressOptions,
  modeOption,
  notVatRegisteredOption,
  type VatChoice,
  vatFields,
  vatOptions,
  vatRateOption,
} from '../options.ts'
import type { Session } from '../session.ts'
import { clean, englishFields } from '../text/columns.ts'
import { columnsOf, csvOption } from '../text/csv.ts'
import type { Screen } from '../text/screen.ts'
import { layoutOf } from '../text/table.ts'
import { localTime } from '../text/times.ts'

export function register(program: Command, session: Session): void {
  const company = program.command('company').description('Companies that issue receipts')
  company
    .subcommand('add', 'Register a company.')
    .requiredOption('--oib <oib>', 'its OIB, 11 digits')
    .requiredOption('--name <name>', 'its name')
    .with(addressOptions())
    .addOption(modeOption('which tax authority it reports to (default: test); live: real receipts'))
    .option('--yes', 'with --mode live: do not ask whether it is meant')
    .examples(
      'fisk company add --oib 02994650199 --name "Kava d.o.o." --vat-rate 25.00 \\\n    --street "Ilica 1" --postal-code 10000 --city Zagreb',
    )
    .action((options: AddOptions) => addCompany(options, session))
    .with(vatOptions())
  company
    .subcommand('list', 'List companies, the oldest first.')
    .choice('--status <status>', 'in one status', ACTIVE_STATUSES)
    .addOption(csvOption())
    .examples('fisk company list')
    .action(async ({ status, csv }: ListOptions & { status?: string }) => {
      const all = pages(await session.client(), '/v1/companies', CompanySchema, { status })
      await showAll(session, all, ROWS, csv)
    })
  company
    .subcommand('set', 'Change a company; what is not named stays. Its OIB never changes.')
    .argument('<company>', 'OIB or id')
    .option('--name <name>', 'its name')
    .with(addressOptions())
    .addOption(new Option('--vat-registered', 'the company is in the VAT system').conflicts('notVatRegistered'))
    .addOption(notVatRegisteredOption())
    .addOption(vatRateOption())
    .option('--no-vat-rate', 'have no such default')
    .addOption(modeOption('which tax authority it reports to; live makes real receipts'))
    .choice('--status <status>', 'only an active company can sell', ACTIVE_STATUSES)
    .with(configOptions('of this company'))
    .option('--logo <file>', 'print this PNG picture above its receipts')
    .option('--no-logo', 'print no logo any more')
    .option('--logo-width <mm>', 'how wide; without it at most 15 mm high')
    .addOption(yesOption())
    .examples(
      'fisk company set 02994650199 --vat-rate 13.00 --receipt-footer "Hvala!"',
      'fisk company set 02994650199 --logo logo.png --logo-width 40',
      'fisk company set 02994650199 --mode live --yes',
    )
    .action((reference: string, options: SetOptions) => setCompany(reference, options, session))
}

type AddOptions = Needed<'oib' | 'name'> & { mode?: Mode } & VatChoice & Address & Flags<'yes'>

async function addCompany(options: AddOptions, session: Session): Promise<void> {
  const { oib, name, mode, yes } = options
  // A script that names the mode has said it; a person may have copied it.
  if (mode === 'live' && session.mayAsk()) await consent(session, yes, GO_LIVE)
  const address = addressFields(options)
  const body = { oib, name, ...(address && { address }), ...(mode !== undefined && { mode }), ...vatFields(options) }
  await session.ask((client) => client.post('/v1/companies', CompanySchema, body), companyText)
}

const LAYOUT = layoutOf({ Company: null, OIB: 11, Mode: 7, Status: 12, Certificate: 24 })

const ROWS = tableOf<CompanyView>(LAYOUT, {
  none: 'There is no such company.',
  cells: ({ name, oib, mode, status, certificate_status: certificate, certificate_expires_at }, say) => {
    const until = localTime(certificate_expires_at)?.slice(0, 'dd.MM.yyyy'.length)
    return [name, oib, say(mode), say(status), say(until === undefined ? certificate : `${certificate} until ${until}`)]
  },
  sheet: {
    ...columnsOf('id', 'name', 'oib', 'mode', 'status', 'vat_registered'),
    ...columnsOf('certificate_status', 'certificate_expires_at'),
  },
})

interface SetOptions
  extends ConfigChoice,
    Address,
    Given<'name' | 'status' | 'logoWidth'>,
    Flags<'vatRegistered' | 'notVatRegistered' | 'yes'> {
  vatRate?: string | false
  mode?: Mode
  logo?: string | false
}

async function setCompany(reference: string, options: SetOptions, session: Session): Promise<void> {
  const { mode, status, yes, logo, logoWidth } = options
  if (mode !== undefined || stops(status)) requireSomebody(session, yes)
  const client = await session.client()
  const company = await companyNamed(client, reference)
  const changes = changesOf(options, company)
  const isChanged = Object.values(changes).some((value) => value !== undefined)
  if (logoWidth !== undefined && typeof logo !== 'string')
    throw wrongUse('logo-width', 'Name the picture, too: --logo FILE.')
  const limit = `${RECEIPT_LOGO_BYTES / 1024} KB: make it smaller.`
  const picture = typeof logo === 'string' ? await readUpload('logo', logo, RECEIPT_LOGO_BYTES, limit) : undefined
  const form = picture && formOf({ width_mm: logoWidth }, picture, 'image/png')
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

const GOES_TO: Record<Mode, string> = {
  live: 'from now on every sale makes a real receipt and is reported to the tax authority. Go live?',
  test: 'from now on no sale is reported as a real one. Go back to the test service?',
}

const stops = (status: string | undefined) => status !== undefined && status !== 'active'

/** Address and configuration are replaced as a whole: what is there and not named goes along. */
function changesOf(options: SetOptions, { address, fiscal_config }: CompanyView) {
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

function companyText(company: CompanyView, screen: Screen): string {
  const { default_vat_rate: rate, receipt, ...others } = company.fiscal_config
  const { street, postal_code, city } = company.address
  const seat = [street, postal_code, city].filter((part) => typeof part === 'string' && part !== '').join(', ')
  const until = localTime(company.certificate_expires_at)
  return englishFields(screen, [
    ['company', company.name],
    ['OIB', company.oib],
    ['id', company.id],
    ['seat', seat || null],
    ['mode', company.mode],
    ['VAT', company.vat_registered ? 'registered' : 'not registered'],
    ['VAT rate', typeof rate === 'string' ? `${rate} %` : null],
    ['receipt', receipt === undefined ? null : JSON.stringify(receipt)],
    ['config', Object.keys(others).length === 0 ? null : JSON.stringify(others)],
    ['certificate', until === null ? company.certificate_status : `${company.certificate_status}, until ${until}`],
    ['status', company.status],
  ])
}
