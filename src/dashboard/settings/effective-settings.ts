import { isDeepStrictEqual } from 'node:util'
import { type ChainKey, hasShape, memberOf, withMember } from '../../domain/sale/config-chain.ts'
import { receiptStyleProblems } from '../../domain/sale/receipt-style.ts'
import type { JsonObject } from '../../fiscal/ports/model.ts'
import { type Fault, readTyped, typedOf } from './field-values.ts'
import { FIELDS, type Field, type FieldKey, nameOf, noneOf } from './fields.ts'

/** Where a value comes from: this level, the company above it, or the specification's default. */
type Source = 'own' | 'above' | 'default'

/** One setting as it stands. `undefined` is "not set", `null` is "explicitly none". */
export type Setting = ReturnType<typeof settingsOf>[number]

/** A configuration that is edited, and the ones it goes before. */
export interface Levels {
  own: JsonObject
  /** The company's, where a device is edited. */
  above: JsonObject | null
}

/** Field by field what applies and who says so (docs/spec/interface.md, Configuration chain). */
export function settingsOf({ own, above }: Levels) {
  return fieldsOf(above).map((field) => {
    const here = spoken(field, own)
    const there = above ? spoken(field, above) : undefined
    const source: Source = here !== undefined ? 'own' : there !== undefined ? 'above' : 'default'
    const raw = memberOf(own, field.key)
    return {
      field,
      name: nameOf(field.key),
      source,
      /** What applies; undefined where the default does. */
      value: here !== undefined ? here : there,
      /** What applies without this level. */
      inherited: there,
      /** Set here, as it would be typed; `''` when nothing is set here or it is none. */
      typed: typedIn(field, own),
      /** Set here to none: an empty list or text says the same as `null`. */
      isNone: saysNone(field, own),
      /** Set here in a wrong shape, which is not used, as JSON. */
      ignored: raw !== undefined && here === undefined ? JSON.stringify(raw) : null,
    }
  })
}

/** What is read of a device is not all that is read of a company. */
const fieldsOf = (above: JsonObject | null): readonly (Field & { key: FieldKey })[] =>
  FIELDS.filter((field: Field) => above === null || !field.companyOnly)

/** What stands in the field of a form: nothing where nothing is set, or none. */
function typedIn(field: Field, level: JsonObject): string {
  const value = spoken(field, level)
  return value === undefined || value === null ? '' : typedOf(field, value)
}

function saysNone(field: Field, level: JsonObject): boolean {
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

export function changedFields(before: JsonObject, after: JsonObject): FieldKey[] {
  return FIELDS.filter(({ key }) => !isDeepStrictEqual(memberOf(before, key), memberOf(after, key))).map(
    ({ key }) => key,
  )
}

/** The value of a choice that hides what stands above. */
export const NONE = 'none'

/**
 * The configuration as a form wants it: a field that was left empty is taken out, a field that the form does not have
 * stays, and so does everything that is not read. Unchanged fields stay exactly as stored.
 */
export function readSettings(
  form: Record<string, string>,
  before: JsonObject,
): { config: JsonObject } | { faults: Map<string, Fault | { fault: 'both' }> } {
  let config: Record<string, unknown> = { ...before }
  const faults = new Map<string, Fault | { fault: 'both' }>()
  for (const field of FIELDS as readonly Field[]) {
    const name = nameOf(field.key)
    const sent = form[name]?.replace(/\r\n?/g, '\n')
    if (sent === undefined) continue
    const text = field.kind.as === 'paper' && sent.trim() !== '' ? sent : sent.trim()
    const isChoice = field.kind.as === 'choice' || field.kind.as === 'yes'
    const none = noneOf(field)
    const isNone = none !== undefined && (isChoice ? text === NONE : form[`${name}-none`] === 'yes')
    if (isNone && !isChoice && text !== '') faults.set(field.key, { fault: 'both' })
    // None is said in more than one way: the way it was said in stays.
    else if (isNone) config = saysNone(field, before) ? config : withMember(config, field.key, none)
    else if (text === '') config = withMember(config, field.key, undefined)
    else if (sent !== typedIn(field, before)) {
      const read = readTyped(field, text)
      if ('fault' in read) faults.set(field.key, read)
      else config = withMember(config, field.key, read.value)
    }
  }
  return faults.size > 0 ? { faults } : { config }
}
