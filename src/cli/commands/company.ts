import type { Command } from 'commander'
import type { Mode } from '../../domain/sale.ts'
import type { Company } from '../answers.ts'
import { modeOption, type VatChoice, vatFields, vatOptions } from '../options.ts'
import type { Session } from '../session.ts'
import { fields } from '../text.ts'

interface AddOptions extends VatChoice {
  oib: string
  name: string
  street?: string
  postalCode?: string
  city?: string
  mode?: Mode
}

export function register(program: Command, session: Session): void {
  const company = program.command('company').description('Companies that issue receipts')
  const add = company
    .command('add')
    .description('Register a company.')
    .requiredOption('--oib <oib>', 'its OIB, 11 digits')
    .requiredOption('--name <name>', 'its name')
    .option('--street <text>', 'its seat, which stands on receipts: street and number')
    .option('--postal-code <code>', 'postal code')
    .option('--city <name>', 'city')
    .addOption(modeOption('which tax authority it reports to (default: test)'))
    .addHelpText(
      'after',
      '\nExample:\n  fisk company add --oib 02994650199 --name "Kava d.o.o." --vat-rate 25.00 \\\n' +
        '    --street "Ilica 1" --postal-code 10000 --city Zagreb',
    )
    .action((options: AddOptions) => addCompany(options, session))
  for (const option of vatOptions()) add.addOption(option)
}

async function addCompany(options: AddOptions, session: Session): Promise<void> {
  const { oib, name, mode, street, postalCode, city, ...vat } = options
  const given = Object.entries({ street, postal_code: postalCode, city }).filter(([, value]) => value !== undefined)
  const address = given.length > 0 && { address: Object.fromEntries(given) }
  const client = await session.client()
  const body = { oib, name, ...address, ...(mode !== undefined && { mode }), ...vatFields(vat) }
  await session.show(await client.post<Company>('/v1/companies', body), companyText)
}

function companyText(company: Company): string {
  const rate = company.fiscal_config.default_vat_rate
  return fields([
    ['company', company.name],
    ['OIB', company.oib],
    ['id', company.id],
    ['mode', company.mode],
    ['VAT', company.vat_registered ? 'registered' : 'not registered'],
    ['VAT rate', typeof rate === 'string' ? `${rate} %` : null],
    ['certificate', company.certificate_status],
  ])
}
