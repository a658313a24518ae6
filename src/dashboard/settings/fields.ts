import { VAT_BASES } from '../../domain/sale/config-chain.ts'
import { RECEIPT_LANGUAGES, RECEIPT_PAPERS } from '../../domain/sale/receipt.ts'
import { VAT_RATES } from '../../domain/sale/vat.ts'
import { ACTIVITY_LENGTH } from '../../domain/text-lengths.ts'
import { DASHBOARD_BOUNDS } from '../bounds.ts'

/** How a setting is typed: chosen from a list, as one line, or as one line for each item. */
export type Kind =
  | { as: 'choice'; values: readonly string[] }
  | { as: 'yes' }
  | { as: 'text'; most: number }
  | { as: 'oib' }
  | { as: 'mark' }
  | { as: 'amount' }
  | { as: 'paper' }
  | { as: 'items'; parts: readonly Part[] }

/** What stands between the semicolons of an item, by the names of the interface. */
export type Part = 'name' | 'rate' | 'base' | 'amount'

export const GROUPS = ['usual', 'receipt', 'amounts', 'till'] as const

export interface Field {
  /** Of the configuration; one with a dot is a member of its member. */
  key: string
  group: (typeof GROUPS)[number]
  kind: Kind
  /** Rates that the law knows, where an item has one. */
  rates?: 'vat' | 'consumption'
  /** Only where the company is set up. */
  companyOnly?: true
  /** There is always one: none cannot be said. */
  maskable?: false
}

/** The value that hides what stands above without putting anything in its place; undefined where there is none. */
export function noneOf({ kind, maskable }: Pick<Field, 'kind' | 'maskable'>): null | [] | undefined {
  if (maskable === false) return undefined
  return kind.as === 'paper' ? [] : null
}

const tax = (...parts: Part[]): Kind => ({ as: 'items', parts })

/** `/v1` takes any number of days up to 400. */
export const LINK_DAYS = ['7', '14', '30', '60', '90', '180', '400'] as const

const ALWAYS_OF_COMPANY = { companyOnly: true, maskable: false } as const

/** Every setting that is read (docs/spec/interface.md, Configuration chain), in the order of the pages. */
export const FIELDS = [
  { key: 'payment_method', group: 'usual', kind: { as: 'choice', values: ['G', 'K', 'O'] } },
  { key: 'default_vat_rate', group: 'usual', kind: { as: 'choice', values: VAT_RATES } },
  { key: 'default_vat_base', group: 'usual', kind: { as: 'choice', values: VAT_BASES }, ...ALWAYS_OF_COMPANY },
  { key: 'vat_registered', group: 'usual', kind: { as: 'yes' } },
  { key: 'fees', group: 'usual', kind: { as: 'items', parts: ['name', 'amount'] } },
  { key: 'special_purpose', group: 'usual', kind: { as: 'text', most: DASHBOARD_BOUNDS.specialPurpose.most } },
  { key: 'activity', group: 'usual', kind: { as: 'text', most: ACTIVITY_LENGTH }, ...ALWAYS_OF_COMPANY },
  { key: 'receipt.header', group: 'receipt', kind: { as: 'paper' } },
  { key: 'receipt.footer', group: 'receipt', kind: { as: 'paper' } },
  { key: 'receipt.language', group: 'receipt', kind: { as: 'choice', values: RECEIPT_LANGUAGES }, maskable: false },
  { key: 'receipt.paper', group: 'receipt', kind: { as: 'choice', values: RECEIPT_PAPERS }, maskable: false },
  { key: 'receipt_link', group: 'receipt', kind: { as: 'choice', values: ['on', 'off'] } },
  { key: 'receipt_link_days', group: 'receipt', kind: { as: 'choice', values: LINK_DAYS }, ...ALWAYS_OF_COMPANY },
  { key: 'vat', group: 'amounts', kind: tax('rate', 'base', 'amount'), rates: 'vat' },
  { key: 'consumption_tax', group: 'amounts', kind: tax('rate', 'base', 'amount'), rates: 'consumption' },
  { key: 'other_taxes', group: 'amounts', kind: tax('name', 'rate', 'base', 'amount') },
  { key: 'vat_exempt_amount', group: 'amounts', kind: { as: 'amount' } },
  { key: 'margin_amount', group: 'amounts', kind: { as: 'amount' } },
  { key: 'non_taxable_amount', group: 'amounts', kind: { as: 'amount' } },
  { key: 'late_delivery', group: 'till', kind: { as: 'yes' } },
  { key: 'sale_type', group: 'till', kind: { as: 'choice', values: ['unattended', 'attended'] } },
  { key: 'sequence_mark', group: 'till', kind: { as: 'choice', values: ['P', 'N'] } },
  { key: 'sequence_mode', group: 'till', kind: { as: 'choice', values: ['P', 'N'] }, ...ALWAYS_OF_COMPANY },
  { key: 'register_mark', group: 'till', kind: { as: 'mark' } },
  { key: 'operator_oib', group: 'till', kind: { as: 'oib' } },
  { key: 'recipient_oib', group: 'till', kind: { as: 'oib' } },
  { key: 'paragon_number', group: 'till', kind: { as: 'text', most: DASHBOARD_BOUNDS.paragonNumber.most } },
] as const satisfies readonly Field[]

export type FieldKey = (typeof FIELDS)[number]['key']

export const nameOf = (key: string) => `set-${key.replace('.', '-')}`
