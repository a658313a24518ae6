import { FiskError, invalidRequest } from '../errors.ts'
import { type EpochMs, formatInstant, type Present } from '../instant.ts'
import { type Cents, parseMoney } from '../money.ts'
import { isOib } from '../oib.ts'
import { isXmlText } from '../xml-text.ts'
import { type ConfigLevel, resolveConfigured } from './config-chain.ts'
import { deadlineOf } from './invoice.ts'
import { isReceiptNumber } from './receipt-number.ts'
import type { FiscalDocument, PaymentMethod, SaleType } from './sale.ts'
import { slippedHours } from './slipped-hours.ts'
import { isVatRate, MAX_CONSUMPTION_TAX_RATE } from './vat.ts'

type Unnumbered = Omit<FiscalDocument, 'number' | 'zki'>

/** Payment method and device mark may still be wrong. */
export interface UncheckedSale {
  saleType: SaleType
  /** The moment of the sale with milliseconds; the deadline counts from it. */
  occurredAt: EpochMs
  totalCents: Cents
  /** The number supplied by the caller, or null to take the next one. */
  number: string | null
  /** Whether the VAT was computed from the total at the configured rate. */
  vatFromDefault: boolean
  document: Omit<Unnumbered, 'paymentMethod' | 'registerMark'> & { paymentMethod: string; registerMark: string | null }
}

/** Cash and card totals must lie within plus or minus 10,000.00 EUR (CIS rule 185). */
export const CASH_AND_CARD_LIMIT = 1_000_000n

/** The highest rate of an other tax, in hundredths of a percent: 999.99 %. */
export const MAX_OTHER_TAX_RATE = 99_999n

/**
 * The local rules in the order of docs/spec/interface.md, Local validation; those of certificates apply elsewhere.
 * @throws FiskError of the first broken rule, with the field; an unreliable clock refuses no sale
 */
export function checkSale(sale: UncheckedSale, { now, earliest, latest }: Present) {
  const { saleType, occurredAt, totalCents, number, document } = sale
  checkTexts(document)
  if (earliest > deadlineOf(occurredAt)) {
    const why = `the sale is more than 30 days old: ${bothClocks(occurredAt, now)}`
    throw refuse('hr.sale_older_than_30_days', 'occurred_at', why)
  }
  if (document.occurredAt > latest) {
    const why = `occurred_at lies in the future: ${bothClocks(occurredAt, Math.min(now, latest))}`
    throw refuse('hr.date_in_future', 'occurred_at', why)
  }
  checkRates(sale)
  const paymentMethod = checkPaymentMethod(document.paymentMethod, saleType, document.recipientOib)
  const magnitude = totalCents < 0n ? -totalCents : totalCents
  if ((paymentMethod === 'G' || paymentMethod === 'K') && magnitude > CASH_AND_CARD_LIMIT) {
    throw refuse('hr.amount_out_of_range', 'total', 'a cash or card total must lie within 10,000.00 EUR of zero')
  }
  checkOib(document.companyOib, 'device_id', 'the OIB of the company')
  checkOib(document.operatorOib, 'operator_oib', 'operator_oib')
  if (document.recipientOib !== null) checkOib(document.recipientOib, 'recipient_oib', 'recipient_oib')
  if (number !== null && !isReceiptNumber(number)) {
    throw refuse(
      'hr.invalid_receipt_number',
      'number',
      'number must be at most 20 digits without leading zeros, and not 0',
    )
  }
  const { registerMark } = document
  if (registerMark === null) throw refuse('hr.device_missing_isu', 'device_id', 'the device has no ISU number yet')
  return { ...document, paymentMethod, registerMark }
}

/** Who is wrong is seen where both are named, in one zone. */
function bothClocks(occurredAt: EpochMs, now: EpochMs): string {
  const hours = slippedHours(occurredAt - now)
  const hint = hours === 0 ? '' : `; ${hours} h between them: are its digits and its offset of one time zone?`
  return `it is ${formatInstant(occurredAt)} by occurred_at and ${formatInstant(now)} by the clock of fiskd${hint}`
}

/** The rules for single values, for a configuration. Values of the wrong type are passed over. @throws FiskError */
export function checkConfigured(configured: readonly ConfigLevel[]): void {
  const of = <K extends Parameters<typeof resolveConfigured>[0]>(key: K) => resolveConfigured(key, configured) ?? null
  const [vat, rate] = [of('vat') ?? [], of('default_vat_rate')]
  const [consumptionTax, otherTaxes, fees] = [of('consumption_tax') ?? [], of('other_taxes') ?? [], of('fees') ?? []]
  checkTexts({ specialPurpose: of('special_purpose'), paragonNumber: of('paragon_number'), fees, otherTaxes })
  checkRates({ document: { vat, consumptionTax, otherTaxes }, vatFromDefault: false })
  const byDefault = rate === null ? [] : [{ rate, base: '', amount: '' }]
  checkRates({ document: { vat: byDefault, consumptionTax: [], otherTaxes: [] }, vatFromDefault: true })
  const method = of('payment_method')
  if (method !== null) checkPaymentMethod(method, 'attended', null)
  for (const key of ['operator_oib', 'recipient_oib'] as const) {
    const oib = of(key)
    if (oib !== null) checkOib(oib, key, key)
  }
}

type Rates = Pick<UncheckedSale['document'], 'vat' | 'consumptionTax' | 'otherTaxes'>
type Texts = Pick<UncheckedSale['document'], 'specialPurpose' | 'paragonNumber' | 'fees' | 'otherTaxes'>

function checkRates({ document, vatFromDefault }: { document: Rates; vatFromDefault: boolean }): void {
  document.vat.forEach(({ rate }, i) => {
    if (isVatRate(rate)) return
    const param = vatFromDefault ? 'default_vat_rate' : `vat[${i}].rate`
    throw refuse('hr.invalid_vat_rate', param, `${param} is ${rate}: the VAT rates are 0.00, 5.00, 13.00 and 25.00`)
  })
  document.consumptionTax.forEach(({ rate }, i) => {
    const value = parseMoney(rate)
    if (value === undefined || value < 0n || value > MAX_CONSUMPTION_TAX_RATE) {
      const param = `consumption_tax[${i}].rate`
      throw refuse('hr.invalid_pnp_rate', param, `${param} must lie between 0.00 and 3.00`)
    }
  })
  document.otherTaxes.forEach(({ rate }, i) => {
    const value = parseMoney(rate)
    if (value === undefined || value < 0n || value > MAX_OTHER_TAX_RATE) {
      const param = `other_taxes[${i}].rate`
      throw invalidRequest(param, `${param} must lie between 0.00 and 999.99`)
    }
  })
}

function checkPaymentMethod(method: string, saleType: SaleType, recipientOib: string | null): PaymentMethod {
  if (method === 'G' || method === 'K' || method === 'O') return method
  if (method === 'T' && saleType === 'attended' && recipientOib === null) return method
  const why =
    method !== 'T' || saleType !== 'attended'
      ? 'payment_method must be G, K or O; T only on an attended sale'
      : 'payment_method T must not be combined with recipient_oib'
  throw refuse('hr.invalid_payment_method', 'payment_method', why)
}

function checkTexts({ specialPurpose, paragonNumber, fees, otherTaxes }: Texts): void {
  if (specialPurpose !== null) checkText('special_purpose', specialPurpose)
  if (paragonNumber !== null) checkText('paragon_number', paragonNumber)
  for (const [i, { name }] of fees.entries()) checkText(`fees[${i}].name`, name)
  for (const [i, { name }] of otherTaxes.entries()) checkText(`other_taxes[${i}].name`, name)
}

function checkText(param: string, text: string): void {
  if (isXmlText(text)) return
  throw invalidRequest(param, `${param} holds a character that XML cannot carry, such as NUL or half a surrogate pair`)
}

function checkOib(oib: string, param: string, what: string): void {
  if (!isOib(oib)) throw refuse('hr.invalid_oib', param, `${what} must be 11 digits with a correct check digit`)
}

function refuse(code: FiskError['code'], param: string, message: string): FiskError {
  return new FiskError(code, message, { param })
}
