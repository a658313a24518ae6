import { type TSchema, Type } from 'typebox'
import { parseInstant } from '../../domain/instant.ts'
import { parseMoney } from '../../domain/money.ts'
import { isPremisesCode, isRegisterMark } from '../../domain/receipt-number.ts'
import { isXmlText } from '../../domain/xml-text.ts'

/**
 * The string formats of `/v1`: how each is checked and what is said when it is not kept. The names go into the schemas,
 * so that documents and validation cannot drift apart.
 */
export const FORMATS: Record<string, { check: (text: string) => boolean; say: string }> = {
  money: {
    check: (text) => parseMoney(text) !== undefined,
    say: 'must be a string with exactly two decimals, like "4.50"',
  },
  instant: {
    check: (text) => parseInstant(text) !== undefined,
    say: 'must be an ISO 8601 time with seconds and an offset, like "2026-01-31T14:05:09+01:00"',
  },
  id: {
    check: (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text),
    say: 'must be a UUID',
  },
  'premises-code': { check: isPremisesCode, say: 'must be 1 to 20 letters a-z, A-Z and digits' },
  mark: { check: isRegisterMark, say: 'must be 1 to 20 digits without leading zeros, and not 0' },
  text: { check: isXmlText, say: 'must not hold control characters, NUL or half a surrogate pair' },
}

export const Money = (description: string) => Type.String({ format: 'money', description, examples: ['4.50'] })
export const Instant = (description: string) => Type.String({ format: 'instant', description })
export const Id = (description: string) => Type.String({ format: 'id', description })
export const Text = (minLength: number, maxLength: number, description: string) =>
  Type.String({ format: 'text', minLength, maxLength, description })

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** A closed object: a misspelt field must not change a fiscal record. */
export const Closed = <T extends Record<string, TSchema>>(properties: T) =>
  Type.Object(properties, { additionalProperties: false })

/** A JSON object whose members are up to the caller. */
export const Free = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description })

export const Mode = Type.Union([Type.Literal('test'), Type.Literal('live')], {
  description: '`test` or `live`: which service of the tax authority is reached',
})

export const ActiveStatus = Type.Union([Type.Literal('active'), Type.Literal('suspended'), Type.Literal('archived')])
