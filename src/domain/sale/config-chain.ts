import { invalidRequest } from '../errors.ts'
import { parseMoney } from '../money.ts'
import { PARAGON_NUMBER_LENGTH, SPECIAL_PURPOSE_LENGTH, TAX_LINES, TAX_NAME_LENGTH } from '../text-lengths.ts'
import { isRegisterMark, type SequenceMark } from './receipt-number.ts'
import type { Fee, NamedTaxLine, SaleType, TaxLine } from './sale.ts'

/** The fields of a sale that its device or company may set, by their names in requests and configurations. */
export interface ChainFields {
  sale_type: SaleType
  sequence_mark: SequenceMark
  register_mark: string
  operator_oib: string
  recipient_oib: string
  paragon_number: string
  special_purpose: string
  payment_method: string
  late_delivery: boolean
  vat_registered: boolean
  vat: TaxLine[]
  consumption_tax: TaxLine[]
  other_taxes: NamedTaxLine[]
  fees: Fee[]
  vat_exempt_amount: string
  margin_amount: string
  non_taxable_amount: string
}

/** A level of the chain: a request, a `device_config` or a `fiscal_config`. Other keys are stored and ignored. */
export type ConfigLevel = Readonly<Record<string, unknown>>

const isString = (value: unknown): value is string => typeof value === 'string'
const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean'
const isMoney = (value: unknown): value is string => parseMoney(value) !== undefined
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isTaxLine = (line: unknown): line is TaxLine =>
  isObject(line) && isMoney(line.rate) && isMoney(line.base) && isMoney(line.amount)
/** Lengths count code points, as in the schemas: an emoji of four bytes is one character, not two. */
const isText = (value: unknown, min: number, max: number): value is string =>
  isString(value) && value.length >= min && [...value].length <= max
const isListOf =
  <T>(isItem: (value: unknown) => value is T) =>
  (value: unknown): value is T[] =>
    Array.isArray(value) && value.length <= TAX_LINES && value.every(isItem)

const SHAPES: { [K in keyof ChainFields]: (value: unknown) => value is ChainFields[K] } = {
  sale_type: (value): value is SaleType => value === 'unattended' || value === 'attended',
  sequence_mark: (value): value is SequenceMark => value === 'P' || value === 'N',
  register_mark: isRegisterMark,
  operator_oib: isString,
  recipient_oib: isString,
  paragon_number: (value): value is string => isText(value, 0, PARAGON_NUMBER_LENGTH),
  special_purpose: (value): value is string => isText(value, 0, SPECIAL_PURPOSE_LENGTH),
  payment_method: isString,
  late_delivery: isBoolean,
  vat_registered: isBoolean,
  vat: isListOf(isTaxLine),
  consumption_tax: isListOf(isTaxLine),
  other_taxes: isListOf(
    (line): line is NamedTaxLine => isTaxLine(line) && isText((line as NamedTaxLine).name, 1, TAX_NAME_LENGTH),
  ),
  fees: isListOf((fee): fee is Fee => isObject(fee) && isText(fee.name, 1, TAX_NAME_LENGTH) && isMoney(fee.amount)),
  vat_exempt_amount: isMoney,
  margin_amount: isMoney,
  non_taxable_amount: isMoney,
}

/** The sources of a sale's optional fields: the request, then each configured level in turn. */
export interface Chain {
  request: ConfigLevel
  /** `device_config`, then `fiscal_config`. */
  configured: readonly ConfigLevel[]
}

/**
 * Resolves one field along the chain: request, device, company (docs/spec/interface.md, Configuration chain).
 * @returns the value of the first level that has one; `null` when that level explicitly sets none, which hides the
 *   levels below; `undefined` when no level sets it, so that the specification's default applies. A configured value of
 *   the wrong type is ignored, not coerced, as if its level did not set it.
 * @throws FiskError `invalid_request` for a value of the wrong type in the request, which is never replaced by a
 *   default
 */
export function resolveField<K extends keyof ChainFields>(key: K, chain: Chain): ChainFields[K] | null | undefined {
  const { request, configured } = chain
  if (Object.hasOwn(request, key) && request[key] !== undefined) {
    const value = request[key]
    if (value === null || SHAPES[key](value)) return value
    throw invalidRequest(key, `${key} is malformed`)
  }
  return resolve(key, configured, SHAPES[key])
}

/** Every key that the chain reads, including `default_vat_rate`. */
export const CHAIN_KEYS = [...Object.keys(SHAPES), 'default_vat_rate'] as readonly ChainKey[]
export type ChainKey = keyof ChainFields | 'default_vat_rate'

/** Whether a value has the right type for the chain; otherwise the chain ignores it. */
export function hasShape(key: ChainKey, value: unknown): boolean {
  return key === 'default_vat_rate' ? isMoney(value) : SHAPES[key](value)
}

/**
 * The configured value of a field that the request does not set.
 * @returns the value, `null` for an explicit none, and the index of its level; undefined when no level sets it
 */
export function sourceOf(
  key: ChainKey,
  configured: readonly ConfigLevel[],
): { level: number; value: unknown } | undefined {
  const level = configured.findIndex((one) => Object.hasOwn(one, key) && (one[key] === null || hasShape(key, one[key])))
  return level < 0 ? undefined : { level, value: configured[level]?.[key] }
}

/**
 * A level with another value of a member; one with a dot is a member of its member.
 * @param value `undefined` takes it out, and the object that it was the last member of
 */
export function withMember(level: ConfigLevel, key: string, value: unknown): Record<string, unknown> {
  const [first = '', second] = key.split('.')
  if (second !== undefined) {
    const old = level[first]
    const isLevel = isObject(old) && !Array.isArray(old)
    if (value === undefined && !isLevel) return { ...level }
    const inner = withMember(isLevel ? old : {}, second, value)
    return withMember(level, first, Object.keys(inner).length === 0 ? undefined : inner)
  }
  if (value !== undefined) return { ...level, [first]: value }
  const { [first]: _removed, ...others } = level
  return others
}

/** The VAT rate for sales without `vat`: `default_vat_rate` of the device, else of the company; a money-like string. */
export function resolveDefaultVatRate({ configured }: Chain): string | null | undefined {
  return resolve('default_vat_rate', configured, isMoney)
}

/** The company's sequence mode, for attended sales without a sequence mark. */
export function resolveSequenceMode(fiscalConfig: ConfigLevel): SequenceMark | null | undefined {
  return resolve('sequence_mode', [fiscalConfig], SHAPES.sequence_mark)
}

function resolve<T>(
  key: string,
  levels: readonly ConfigLevel[],
  hasShape: (value: unknown) => value is T,
): T | null | undefined {
  for (const level of levels) {
    if (!Object.hasOwn(level, key)) continue
    const value = level[key]
    if (value === null || hasShape(value)) return value
  }
  return undefined
}
