import { type Command, Option } from 'commander'
import { CompanySchema } from '../../../contract/v1/fleet.ts'
import type { Mode } from '../../../domain/sale/sale.ts'
import { consent, GO_LIVE } from '../../consent.ts'
import {
  type Address,
  addressFields,
  addressOptions,
  modeOption,
  type VatChoice,
  vatFields,
  vatOptions,
} from '../../options.ts'
import type { Session } from '../../session.ts'
import { companyText } from '../../text/company-text.ts'

interface Options extends VatChoice, Address {
  oib: string
  name: string
  mode?: Mode
  yes?: true
}

export function register(company: Command, session: Session): void {
  const add = company
    .command('add')
    .description('Register a company.')
    .requiredOption('--oib <oib>', 'its OIB, 11 digits')
    .requiredOption('--name <name>', 'its name')
  for (const option of addressOptions()) add.addOption(option)
  add
    .addOption(modeOption('which tax authority it reports to (default: test); live: real receipts'))
    .addOption(new Option('--yes', 'with --mode live: do not ask whether it is meant'))
    .addHelpText(
      'after',
      '\nExample:\n  fisk company add --oib 02994650199 --name "Kava d.o.o." --vat-rate 25.00 \\\n' +
        '    --street "Ilica 1" --postal-code 10000 --city Zagreb',
    )
    .action((options: Options) => addCompany(options, session))
  for (const option of vatOptions()) add.addOption(option)
}

async function addCompany(options: Options, session: Session): Promise<void> {
  const { oib, name, mode, yes } = options
  // A script that names the mode has said it; a person may have copied it.
  if (mode === 'live' && session.mayAsk()) await consent(session, yes, GO_LIVE)
  const address = addressFields(options)
  const client = await session.client()
  const body = { oib, name, ...(address && { address }), ...(mode !== undefined && { mode }), ...vatFields(options) }
  await session.show(await client.post('/v1/companies', CompanySchema, body), companyText)
}
