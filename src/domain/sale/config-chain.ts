import { invalidRequest } from '../errors.ts'
import { parseMoney } from '../money.ts'
import {
  ACTIVITY_LENGTH,
  PARAGON_NUMBER_LENGTH,
  SPECIAL_PURPOSE_LENGTH,
  TAX_LINES,
  TAX_NAME_LENGTH,
} from '../text-lengths.ts'
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

/** Where a default of a sale may stand, the one that goes before first. */
const LEVELS = ['device_config', 'fiscal_config'] as const
export type LevelName = (typeof LEVELS)[number]

/** The sources of a sale's optional fields: the request, then each configured level in turn. */
export interface Chain {
  request: ConfigLevel
  /** `device_config`, then `fiscal_config`. */
  configured: readonly ConfigLevel[]
}

/**
 * Resolves one field along the chain: request, device, company (docs/spec/interface.md, Configuration chain).
 * @returns the first level's value; `null` when that level sets none, which hides those below; `undefined` when no
 *   level sets it (the specification's default applies). Configured values of the wrong type are ignored.
 * @throws FiskError `invalid_request` for a value of the wrong type in the request
 */
export function resolveField<K extends keyof ChainFields>(key: K, chain: Chain): ChainFields[K] | null | undefined {
  const { request, configured } = chain
  if (Object.hasOwn(request, key) && request[key] !== undefined) {
    const value = request[key]
    if (value === null || SHAPES[key](value)) return value
    throw invalidRequest(key, `${key} is malformed`)
  }
  return resolveConfigured(key, configured)
}

/** The configuration that sets a field, by `null`, too; undefined where the request does, or none. */
export function sourceOf(key: ChainKey, { request, configured }: Chain): LevelName | undefined {
  if (Object.hasOwn(request, key) && request[key] !== undefined) return undefined
  return LEVELS[configured.findIndex((level) => resolveConfigured(key, [level]) !== undefined)]
}

/** Whether sales have a cashier: they have a register mark then in place of an ISU number. */
export const isAttended = (...configured: ConfigLevel[]): boolean =>
  resolveField('sale_type', { request: {}, configured }) === 'attended'

/** What the VAT at the default rate is taken out of: the whole total, or what is left of it without fees and untaxed amounts. */
export const VAT_BASES = ['total', 'taxable'] as const
export type VatBase = (typeof VAT_BASES)[number]

const isVatBase = (value: unknown): value is VatBase => VAT_BASES.some((base) => base === value)

/** Days for which the link to a receipt shows it, as digits. */
export const LINK_DAYS = { usual: 60, most: 400 } as const
const isLinkDays = (value: unknown): value is string =>
  isString(value) && /^[1-9]\d{0,2}$/.test(value) && Number(value) <= LINK_DAYS.most

/** Fields, and what only a configuration says. */
interface Configured extends ChainFields {
  default_vat_rate: string
  default_vat_base: VatBase
  sequence_mode: SequenceMark
  /** Whether a sale answers with a link to its receipt. */
  receipt_link: 'on' | 'off'
  receipt_link_days: string
  /** Of the company, for the portal of the tax authority; no sale reads it. */
  activity: string
}

const CONFIGURED: { [K in keyof Configured]: (value: unknown) => value is Configured[K] } = {
  ...SHAPES,
  default_vat_rate: isMoney,
  default_vat_base: isVatBase,
  sequence_mode: SHAPES.sequence_mark,
  receipt_link: (value): value is 'on' | 'off' => value === 'on' || value === 'off',
  receipt_link_days: isLinkDays,
  activity: (value): value is string => isText(value, 1, ACTIVITY_LENGTH),
}

/** Every key that the chain reads. */
export const CHAIN_KEYS = Object.keys(CONFIGURED) as readonly ChainKey[]
export type ChainKey = keyof Configured

export const isChainKey = (key: string): key is ChainKey => Object.hasOwn(CONFIGURED, key)

/** The chain ignores a value of another type. */
export function hasShape(key: ChainKey, value: unknown): boolean {
  return CONFIGURED[key](value)
}

/** Where the request does not set the field: the first level that has one or, by `null`, explicitly none. */
export function resolveConfigured<K extends ChainKey>(
  key: K,
  configured: readonly ConfigLevel[],
): Configured[K] | null | undefined {
  for (const level of configured) {
    const value = Object.hasOwn(level, key) ? level[key] : undefined
    if (value === null || CONFIGURED[key](value)) return value
  }
  return undefined
}

/** A member of a level; one with a dot is a member of its member. */
export function memberOf(level: ConfigLevel, key: string): unknown {
  const [first = '', second] = key.split('.')
  const value = Object.hasOwn(level, first) ? level[first] : undefined
  if (second === undefined) return value
  return isObject(value) && !Array.isArray(value) ? memberOf(value, second) : undefined
}

/** A level with another value of a member; `undefined` takes it out, and the object that it was the last member of. */
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

/** The company's `default_vat_base`; `total` is what the interface says of a company that has none. */
export function resolveVatBase(fiscalConfig: ConfigLevel): VatBase {
  return resolveConfigured('default_vat_base', [fiscalConfig]) ?? 'total'
}
