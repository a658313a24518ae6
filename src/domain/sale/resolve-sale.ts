import { FiskError, invalidRequest } from '../errors.ts'
import { cutToSecond, type Present, parseInstant } from '../instant.ts'
import { type Cents, centsOf, formatMoney, parseMoney } from '../money.ts'
import { zagrebYear } from '../zagreb.ts'
import {
  type Chain,
  type ChainFields,
  type ConfigLevel,
  isChainKey,
  resolveConfigured,
  resolveField,
  resolveVatBase,
  sourceOf,
  type VatBase,
} from './config-chain.ts'
import { LATE_DELIVERY_AFTER_MS } from './invoice.ts'
import { checkItemSums } from './item-sums.ts'
import type { JournalEntry } from './journal.ts'
import type { ReceiptItem } from './receipt.ts'
import type { FiscalDocument, TaxLine } from './sale.ts'
import { checkSale, type UncheckedSale } from './sale-rules.ts'
import { isVatRate, splitVat } from './vat.ts'

/** A sale as posted: its schema is checked, and no default is resolved yet (docs/spec/interface.md, POST /v1/invoices). */
export type SaleRequest = { [K in Exclude<keyof ChainFields, 'payment_method'>]?: ChainFields[K] | null } & {
  device_id: string
  occurred_at: string
  total: string
  payment_method?: string
  currency?: 'EUR' | null
  number?: string | null
  items?: SaleItem[] | null
  storno_of?: string | null
}

/** An item of the receipt (docs/spec/interface.md, POST /v1/invoices). */
export interface SaleItem {
  name: string
  quantity: string
  unit_price: string
  amount: string
}

export interface SaleOrigin {
  company: { oib: string; vatRegistered: boolean; fiscalConfig: ConfigLevel }
  device: { premisesCode: string; isuNumber: string | null; deviceConfig: ConfigLevel }
}

/** A sale with every default resolved and every local rule passed; only number and ZKI are missing. */
export interface ResolvedSale
  extends Pick<JournalEntry, 'occurredAtText' | 'year'>,
    Pick<UncheckedSale, 'saleType' | 'occurredAt' | 'totalCents' | 'number'> {
  lateDelivery: boolean
  /** Printed, never sent to the tax authority. */
  items: ReceiptItem[]
  /** The receipt that a refund takes back, as the caller names it; null for none. Printed, never sent. */
  stornoOf: string | null
  document: Omit<FiscalDocument, 'number' | 'zki'>
}

/** Fields for attended sales only; on an unattended sale they are refused, not ignored. */
const ATTENDED_ONLY = ['sequence_mark', 'register_mark', 'operator_oib', 'recipient_oib', 'paragon_number'] as const

/**
 * Applies defaults and local rules in the order of the specification.
 * @throws FiskError of the first broken rule; what is wrong in a configuration is named with it, for nobody sent it
 */
export function resolveSale(request: SaleRequest, origin: SaleOrigin, present: Present): ResolvedSale {
  const chain = { request, configured: [origin.device.deviceConfig, origin.company.fiscalConfig] }
  try {
    return resolve(request, chain, origin, present)
  } catch (error) {
    throw error instanceof FiskError ? withSource(error, chain) : error
  }
}

function withSource(error: FiskError, chain: Chain): FiskError {
  const { code, message, param } = error
  const key = param?.match(/^\w+/)?.[0] ?? ''
  const level = isChainKey(key) ? sourceOf(key, chain) : undefined
  if (!isChainKey(key) || level === undefined) return error
  if (resolveConfigured(key, chain.configured) === null)
    return new FiskError(code, `${message} (${level} sets it to null)`, { param: key })
  return new FiskError(code, `${message} (the request has none: it is set in ${level})`, { param: `${level}.${param}` })
}

function resolve(request: SaleRequest, chain: Chain, origin: SaleOrigin, present: Present): ResolvedSale {
  const { company, device } = origin
  const occurredAt = parseInstant(request.occurred_at)
  const totalCents = parseMoney(request.total)
  if (occurredAt === undefined) throw invalidRequest('occurred_at', 'occurred_at is not an ISO 8601 time with offset')
  if (totalCents === undefined) throw invalidRequest('total', 'total is not a decimal string with two decimals')

  const saleType = resolveField('sale_type', chain) ?? 'unattended'
  const vatRegistered = resolveField('vat_registered', chain) ?? company.vatRegistered
  const untaxed = {
    consumptionTax: (resolveField('consumption_tax', chain) ?? []).map(taxLine),
    vatExemptAmount: resolveField('vat_exempt_amount', chain) ?? null,
    marginAmount: resolveField('margin_amount', chain) ?? null,
    nonTaxableAmount: resolveField('non_taxable_amount', chain) ?? null,
    fees: (resolveField('fees', chain) ?? []).map(({ name, amount }) => ({ name, amount })),
  }
  const document = {
    companyOib: company.oib,
    vatRegistered,
    occurredAt: cutToSecond(occurredAt),
    premisesCode: device.premisesCode,
    vat: resolveVat(chain, vatRegistered, totalCents, resolveVatBase(company.fiscalConfig), untaxed),
    otherTaxes: (resolveField('other_taxes', chain) ?? []).map((line) => ({ name: line.name, ...taxLine(line) })),
    ...untaxed,
    total: request.total,
    paymentMethod: requiredPaymentMethod(chain),
    specialPurpose: resolveField('special_purpose', chain) || null,
    ...(saleType === 'attended' ? resolveTill(chain, origin) : resolveMachine(request, origin)),
  }
  const sale = {
    saleType,
    occurredAtText: request.occurred_at,
    occurredAt,
    year: zagrebYear(document.occurredAt),
    totalCents,
    number: request.number ?? null,
    items: (request.items ?? []).map(({ name, quantity, unit_price: unitPrice, amount }) => {
      return { name, quantity, unitPrice, amount }
    }),
    stornoOf: request.storno_of ?? null,
    vatFromDefault: resolveField('vat', chain) === undefined,
    lateDelivery: resolveField('late_delivery', chain) === true || present.now - occurredAt > LATE_DELIVERY_AFTER_MS,
  }
  const checked = checkSale({ ...sale, document }, present)
  checkItemSums(sale.items, totalCents, checked.fees)
  if (sale.stornoOf !== null && totalCents > 0n)
    throw invalidRequest('storno_of', 'storno_of belongs to a refund: send a negative total, or leave storno_of out')
  return { ...sale, document: checked }
}

/** A line without what else a configuration may say beside it: a record holds nothing that nobody reads. */
const taxLine = ({ rate, base, amount }: TaxLine): TaxLine => ({ rate, base, amount })

function requiredPaymentMethod(chain: Chain): string {
  const method = resolveField('payment_method', chain)
  if (typeof method === 'string') return method
  throw invalidRequest('payment_method', 'payment_method is required: G, K or O, on an attended sale also T')
}

type Untaxed = Pick<FiscalDocument, 'consumptionTax' | 'vatExemptAmount' | 'marginAmount' | 'nonTaxableAmount' | 'fees'>

/** What is left of a total for the VAT: a deposit is no part of it (VAT act, art. 33/3; docs/spec/cis.md, Findings). */
export function taxableOf(
  totalCents: Cents,
  { consumptionTax, vatExemptAmount, marginAmount, nonTaxableAmount, fees }: Untaxed,
) {
  const amounts = [...fees, ...consumptionTax].map(({ amount }) => amount)
  const untaxed = [...amounts, vatExemptAmount, marginAmount, nonTaxableAmount]
  return untaxed.reduce((left, amount) => (amount === null ? left : left - centsOf(amount)), totalCents)
}

function resolveVat(chain: Chain, vatRegistered: boolean, totalCents: Cents, base: VatBase, untaxed: Untaxed) {
  const lines = resolveField('vat', chain)
  if (lines !== undefined) return (lines ?? []).map(taxLine)
  const rate = vatRegistered ? resolveConfigured('default_vat_rate', chain.configured) : null
  if (rate === null || rate === undefined) return []
  // Do not divide by an invalid rate; the rules refuse it later.
  if (!isVatRate(rate)) return [{ rate, base: formatMoney(totalCents), amount: '0.00' }]
  if (base === 'total') return [splitVat(totalCents, rate)]
  const taxable = taxableOf(totalCents, untaxed)
  // Nothing taxable is left where the rest is as much as the total, or more.
  return taxable * totalCents > 0n ? [splitVat(taxable, rate)] : []
}

function resolveTill(chain: Chain, { company }: SaleOrigin) {
  const registerMark = resolveField('register_mark', chain)
  const operatorOib = resolveField('operator_oib', chain)
  const level = sourceOf('sale_type', chain)
  const attended = level ? `an attended sale (sale_type is set in ${level})` : 'an attended sale'
  if (typeof registerMark !== 'string') throw invalidRequest('register_mark', `${attended} needs register_mark`)
  if (typeof operatorOib !== 'string') throw invalidRequest('operator_oib', `${attended} needs operator_oib`)
  const sequenceMark = resolveField('sequence_mark', chain)
  return {
    sequenceMark:
      sequenceMark ??
      (sequenceMark === undefined ? resolveConfigured('sequence_mode', [company.fiscalConfig]) : 'P') ??
      'P',
    registerMark,
    operatorOib,
    recipientOib: resolveField('recipient_oib', chain) ?? null,
    paragonNumber: resolveField('paragon_number', chain) || null,
  }
}

function resolveMachine(request: ConfigLevel, { company, device }: SaleOrigin) {
  const field = ATTENDED_ONLY.find((name) => Object.hasOwn(request, name) && request[name] !== null)
  if (field) {
    throw invalidRequest(field, `${field} belongs to an attended sale; leave it out or send sale_type "attended"`)
  }
  return {
    sequenceMark: 'P' as const,
    registerMark: device.isuNumber,
    operatorOib: company.oib,
    recipientOib: null,
    paragonNumber: null,
  }
}
