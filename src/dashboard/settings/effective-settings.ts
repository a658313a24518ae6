import { isDeepStrictEqual } from 'node:util'
import { type ChainKey, hasShape, memberOf } from '../../domain/sale/config-chain.ts'
import { receiptStyleProblems } from '../../domain/sale/receipt-style.ts'
import type { JsonObject } from '../../fiscal/ports/model.ts'
import { typedOf } from './field-values.ts'
import { FIELDS, type Field, type FieldKey, nameOf, noneOf } from './fields.ts'

/** Where a value comes from: this level, the company above it, or the specification's default. */
export type Source = 'own' | 'above' | 'default'

/** One setting as it stands. `undefined` is "not set", `null` is "explicitly none". */
export interface Setting {
  field: Field & { key: FieldKey }
  name: string
  source: Source
  /** What applies; undefined where the default does. */
  value: unknown
  /** What applies without this level. */
  inherited: unknown
  /** Set here, as it would be typed; `''` when nothing is set here or it is none. */
  typed: string
  /** Set here to none: an empty list or text says the same as `null`. */
  isNone: boolean
  /** Set here in a wrong shape, which is not used, as JSON. */
  ignored: string | null
}

/** A configuration that is edited, and the ones it goes before. */
export interface Levels {
  own: JsonObject
  /** The company's, where a device is edited. */
  above: JsonObject | null
}

/** Field by field what applies and who says so (docs/spec/interface.md, Configuration chain). */
export function settingsOf({ own, above }: Levels): Setting[] {
  return fieldsOf(above).map((field) => {
    const here = spoken(field, own)
    const there = above ? spoken(field, above) : undefined
    const source: Source = here !== undefined ? 'own' : there !== undefined ? 'above' : 'default'
    const raw = memberOf(own, field.key)
    return {
      field,
      name: nameOf(field.key),
      source,
      value: here !== undefined ? here : there,
      inherited: there,
      typed: typedIn(field, own),
      isNone: saysNone(field, own),
      ignored: raw !== undefined && here === undefined ? JSON.stringify(raw) : null,
    }
  })
}

/** What is read of a device is not all that is read of a company. */
const fieldsOf = (above: JsonObject | null): readonly (Field & { key: FieldKey })[] =>
  FIELDS.filter((field: Field) => above === null || !field.companyOnly)

/** What stands in the field of a form: nothing where nothing is set, or none. */
export function typedIn(field: Field, level: JsonObject): string {
  const value = spoken(field, level)
  return value === undefined || value === null ? '' : typedOf(field, value)
}

export function saysNone(field: Field, level: JsonObject): boolean {
  return spoken(field, level) !== undefined && typedIn(field, level) === ''
}

/** What a level says about a field: `undefined` for nothing, or for what has the wrong shape. */
function spoken(field: Field, level: JsonObject): unknown {
  const value = memberOf(level, field.key)
  if (value === undefined) return undefined
  if (field.key.startsWith('receipt.')) {
    const member = field.key.slice('receipt.'.length)
    return value === null || receiptStyleProblems({ receipt: { [member]: value } }).length > 0 ? undefined : value
  }
  if (value === null) return noneOf(field) === null ? null : undefined
  return hasShape(field.key as ChainKey, value) ? value : undefined
}

/** What is stored and never read, by key, as JSON. */
export function unreadOf({ own, above }: Levels): { key: string; json: string }[] {
  const known = new Set<string>(fieldsOf(above).map(({ key }) => key.split('.')[0] ?? ''))
  return Object.entries(own)
    .filter(([key]) => !known.has(key))
    .map(([key, value]) => ({ key, json: JSON.stringify(value) }))
}

/** The fields that differ between two states of one configuration. */
export function changedFields(before: JsonObject, after: JsonObject): FieldKey[] {
  return FIELDS.filter(({ key }) => !isDeepStrictEqual(memberOf(before, key), memberOf(after, key))).map(
    ({ key }) => key,
  )
}
