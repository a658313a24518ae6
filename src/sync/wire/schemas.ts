import { type Static, type TObject, type TSchema, Type } from 'typebox'
import type { Tied } from '../../domain/json-object.ts'
import type { JsonObject } from '../../fiscal/ports/model.ts'
import { SYNC_BOUNDS } from './bounds.ts'

/**
 * Text that every database can keep: no NUL, no half of a surrogate pair. The pattern counts code points, while `maxLength`
 * would count what people see as one character, which may have any number of marks.
 */
export const Text = (most: number, least = 0) =>
  Type.String({ pattern: `^[^\\u0000\\uD800-\\uDFFF]{${least},${most}}$` })
/** What XML 1.0 can carry: it may stand on a receipt. */
export const Line = (minLength: number, maxLength: number) =>
  Type.String({
    minLength,
    maxLength,
    pattern: '^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\uD800-\\uDFFF\\uFFFE\\uFFFF]*$',
  })
export const Pattern = (pattern: string) => Type.String({ pattern })
export const Uuid = Pattern('^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$')
/** Ids of invoices have a prefix. */
export const Handle = Pattern('^[0-9A-Za-z_-]{1,64}$')
export const Moment = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000 })
/** ISO 8601 with seconds and an offset, as `parseInstant` reads it; whether the calendar has the day is seen there. */
export const Instant = Type.String({
  maxLength: 40,
  pattern:
    '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,9})?' +
    '(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$',
})
/** A position in an outbox, or how often something happened. */
export const Count = Type.Integer({ minimum: 0, maximum: SYNC_BOUNDS.count.most })
/** The version of a row, or the number of a command. */
export const Ordinal = Type.Integer({ minimum: 1, maximum: SYNC_BOUNDS.count.most })
/** Of a sale. */
export const Year = Type.Integer({ minimum: 1970, maximum: 9999 })
export const PremisesCode = Pattern('^[0-9a-zA-Z]{1,20}$')
/** Up to 20 digits, more than a number of JSON holds. */
export const Digits = Pattern('^[1-9][0-9]{0,19}$')
export const Register = Pattern('^([1-9][0-9]{0,19})?$')
export const Sha256 = Pattern('^[0-9a-f]{64}$')
export const Mode = Type.Enum(['test', 'live'])
/** Whether it is base64 is seen when it is read. */
export const Base64 = (maxLength: number) => Type.String({ maxLength, contentEncoding: 'base64' })
export const Base64Url = (maxLength: number) => Type.String({ maxLength, pattern: '^[A-Za-z0-9_-]*$' })

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
/** A closed object: an unknown member is refused instead of silently lost. */
export const Closed = <T extends Record<string, TSchema>>(properties: T) =>
  Type.Object(properties, { additionalProperties: false })
/** A closed object that says just what `T` says. */
export const ClosedAs =
  <T>() =>
  <M extends Record<string, TSchema>>(members: M & Record<keyof T, TSchema> & Tied<T, Static<TObject<M>>>) =>
    Closed<M>(members)
export const Free = Type.Unsafe<JsonObject>(Type.Object({}, { additionalProperties: true }))

const Day = Line(1, 20)
const Hours = Line(1, 1000)
const Days = Type.Array(Day, { maxItems: 20 })

/** Working hours as people state them. Read by the gateway, with its own rules: here only how much it may be. */
export const StatedHoursFields = {
  regular: Type.Array(Closed({ from: Day, hours: Hours, note: Type.Optional(Line(0, 300)) }), { maxItems: 10 }),
  exceptions: Type.Array(Closed({ date: Day, hours: Hours }), { maxItems: 20 }),
}

export const HoursDatesFields = { regular: Days, exceptions: Days }
