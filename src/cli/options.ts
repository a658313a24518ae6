import { Option } from 'commander'
import { VAT_RATES } from '../domain/vat.ts'

/** Options that several commands share, with the values they take. */
export const modeOption = (text: string) => new Option('--mode <mode>', text).choices(['test', 'live'])

export const vatOptions = () => [
  new Option('--not-vat-registered', 'the company is not in the VAT system'),
  new Option('--vat-rate <rate>', 'VAT rate of sales that name none, such as 25.00')
    .choices(VAT_RATES)
    .conflicts('notVatRegistered'),
]

export interface VatChoice {
  notVatRegistered?: true
  vatRate?: string
}

/** The part of a company's body that the VAT options decide. */
export function vatFields({ notVatRegistered, vatRate }: VatChoice): Record<string, unknown> {
  return {
    ...(notVatRegistered && { vat_registered: false }),
    ...(vatRate !== undefined && { fiscal_config: { default_vat_rate: vatRate } }),
  }
}
