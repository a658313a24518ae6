import fc, { type Arbitrary } from 'fast-check'
import { type OpenApi, resolve, type Schema } from './document.ts'

/** Better guesses than a schema can make, by where they stand: `device_id`, `vat.rate`. */
export type Hints = Readonly<Record<string, Arbitrary<unknown>>>

export interface Guess {
  hints: Hints
  /** What must be there although its schema does not demand it. */
  demanded?: string[]
  /** Now and then what the schema allows instead of what is known to be good. */
  doubtful?: boolean
}

const DAY_MS = 86_400_000
const OFFSETS_MINUTES = [0, 60, 120, -330, 840]

/** ISO 8601 with any offset, with and without fractions of a second. */
export function instants(from: number, to: number): Arbitrary<string> {
  const parts = fc.tuple(fc.integer({ min: from, max: to }), fc.constantFrom(...OFFSETS_MINUTES), fc.nat({ max: 3 }))
  return parts.map(([at, offset, digits]) => {
    const local = new Date(at + offset * 60_000).toISOString()
    const seconds = local.slice(0, 19)
    const fraction = digits === 0 ? '' : local.slice(19, 20 + digits)
    const clock = new Date(Math.abs(offset) * 60_000).toISOString().slice(11, 16)
    return `${seconds}${fraction}${offset === 0 ? 'Z' : `${offset < 0 ? '-' : '+'}${clock}`}`
  })
}

/** Sales that are neither too old nor in the future. */
export const recently = instants(Date.now() - 29 * DAY_MS, Date.now() - 1000)

/** Values that a schema of the document allows. */
export function valuesOf(document: OpenApi, schema: Schema, guess: Guess, path = ''): Arbitrary<unknown> {
  const hint = guess.hints[path]
  if (!hint) return fromSchema(document, schema, guess, path)
  if (!guess.doubtful) return hint
  return fc.oneof({ weight: 6, arbitrary: hint }, { weight: 1, arbitrary: fromSchema(document, schema, guess, path) })
}

function fromSchema(document: OpenApi, schema: Schema, guess: Guess, path: string): Arbitrary<unknown> {
  const { $ref, anyOf, enum: choices, type, properties, items, required = [] } = schema
  if ($ref !== undefined) return valuesOf(document, resolve(document, schema), guess, path)
  if (anyOf) return fc.oneof(...anyOf.map((choice) => valuesOf(document, choice, guess, path)))
  if (choices) return fc.constantFrom(...choices)
  if (properties) {
    const members = Object.entries(properties).map(([name, member]): [string, Arbitrary<unknown>] => {
      return [name, valuesOf(document, member, guess, path ? `${path}.${name}` : name)]
    })
    const demanded = path === '' ? (guess.demanded ?? []) : []
    return fc.record(Object.fromEntries(members), { requiredKeys: [...required, ...demanded], noNullPrototype: true })
  }
  if (type === 'object')
    return fc.dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  if (type === 'array') return fc.array(valuesOf(document, items ?? {}, guess, path), { maxLength: 3 })
  if (type === 'boolean') return fc.boolean()
  if (type === 'null') return fc.constant(null)
  if (type === 'integer') return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 })
  return type === 'string' ? textsOf(schema) : fc.constantFrom('true', 'false', 'perhaps')
}

function textsOf({ format, pattern, minLength = 0, maxLength = 30 }: Schema): Arbitrary<string> {
  if (format === 'uuid') return fc.uuid()
  if (format === 'date-time') return instants(Date.parse('0001-01-02T00:00:00Z'), Date.parse('9999-12-30T00:00:00Z'))
  if (pattern !== undefined) {
    // fast-check knows no lookahead.
    const simple = new RegExp(pattern.replace(/\(\?![^)]*\)/, ''))
    return fc.stringMatching(simple).filter((text) => new RegExp(pattern).test(text))
  }
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 30) })
}
