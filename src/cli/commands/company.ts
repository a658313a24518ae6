import type { Command } from 'commander'
import type { Mode } from '../../domain/sale.ts'
import type { Company } from '../answers.ts'
import { modeOption, type VatChoice, vatFields, vatOptions } from '../options.ts'
import type { Session } from '../session.ts'
import { fields } from '../text.ts'

interface AddOptions extends VatChoice {
  oib: string
  name: string
  mode?: Mode
}

export function register(program: Command, session: Session): void {
  const company = program.command('company').description('Companies that issue receipts')
  const add = company
    .command('add')
    .description('Register a company.')
    .requiredOption('--oib <oib>', 'its OIB, 11 digits')
    .requiredOption('--name <name>', 'its name')
    .addOption(modeOption('which tax authority it reports to (default: test)'))
    .addHelpText('after', '\nExample:\n  fisk company add --oib 02994650199 --name "Kava d.o.o." --vat-rate 25.00')
    .action((options: AddOptions) => addCompany(options, session))
  for (const option of vatOptions()) add.addOption(option)
}

async function addCompany({ oib, name, mode, ...vat }: AddOptions, session: Session): Promise<void> {
  const client = await session.client()
  const body = { oib, name, ...(mode !== undefined && { mode }), ...vatFields(vat) }
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
