import { InvalidArgumentError, Option } from 'commander'
import { TRUST_PURPOSES } from '../domain/certificate.ts'
import { PRINTER_PROFILES } from '../domain/printer.ts'
import { VAT_RATES } from '../domain/sale/vat.ts'
import type { Flags, Given } from './command.ts'

/** Options that several commands share, with the values they take. */
export const modeOption = (text: string) => new Option('--mode <mode>', text).choices(['test', 'live'])

export const purposeOption = () =>
  new Option('--for <purpose>', 'trusted for the service, or for uploaded certificates').choices(TRUST_PURPOSES)

export const notVatRegisteredOption = () => new Option('--not-vat-registered', 'the company is not in the VAT system')

export const vatRateOption = () =>
  new Option('--vat-rate <rate>', 'VAT rate of sales that name none, such as 25.00').choices(VAT_RATES)

export const vatOptions = () => [notVatRegisteredOption(), vatRateOption().conflicts('notVatRegistered')]

export const printerOptions = () => [
  new Option('--printer-line <line>', 'its receipt printer: usb:/dev/usb/lp0, tcp:HOST:9100 ...'),
  new Option('--printer-profile <name>', 'what kind of printer it is').choices(PRINTER_PROFILES),
  new Option('--no-printer', 'it has no receipt printer').conflicts('printerLine'),
  new Option('--no-printer-test', 'print no test page'),
]

/** Reads a number that is written as the pattern has it. @param say what it has to be */
export const numberAs = (pattern: RegExp, say: string) => (text: string) => {
  if (pattern.test(text)) return Number(text)
  throw new InvalidArgumentError(say)
}

export const several = (value: string, before: string[] = []) => [...before, value]

/** The seat of a company, which stands on receipts. */
export type Address = Given<'street' | 'postalCode' | 'city'>

export const addressOptions = () => [
  new Option('--street <text>', 'its seat, which stands on receipts: street and number'),
  new Option('--postal-code <code>', 'postal code'),
  new Option('--city <name>', 'city'),
]

/** The members of an address that were given; undefined when none was. */
export function addressFields({ street, postalCode, city }: Address): Record<string, string> | undefined {
  const given = Object.entries({ street, postal_code: postalCode, city }).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  )
  return given.length === 0 ? undefined : Object.fromEntries(given)
}

export type VatChoice = Given<'vatRate'> & Flags<'notVatRegistered'>

/**
 * The part of a company's body that the VAT options decide. A deposit in the total is not taxed, also once a company is in
 * the VAT system later; `total` is for programs that made one over /v1 before they knew of this.
 */
export function vatFields({ notVatRegistered, vatRate }: VatChoice): Record<string, unknown> {
  return {
    ...(notVatRegistered && { vat_registered: false }),
    fiscal_config: { ...(vatRate !== undefined && { default_vat_rate: vatRate }), default_vat_base: 'taxable' },
  }
}
