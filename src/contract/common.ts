import * as Type from 'typebox'
import type { JsonObject, Tied } from '../domain/json-object.ts'
import { MODES } from '../domain/sale/sale.ts'
import { ACTIVE_STATUSES } from '../domain/statuses.ts'

export const Money = (description: string) => Type.String({ format: 'money', description, examples: ['4.50'] })

/** What is a number inside, and a text in RFC 3339 outside. */
export interface TMoment extends Type.TString {
  format: 'instant'
}
export const Instant = (description: string) => Type.String({ format: 'instant', description }) as TMoment
/** The same where the name of the field says it all. */
export const Moment = Type.String({ format: 'instant' }) as TMoment
export const Id = (description: string) => Type.String({ format: 'id', description })
export const Text = (minLength: number, maxLength: number, description: string) =>
  Type.String({ format: 'text', minLength, maxLength, description })

export const Nullable = <T extends Type.TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })

/** A text in both languages. */
export const BothSchema = Type.Object({ en: Type.String(), hr: Type.String() })

/** An object with the name that the documents give it. */
export const Titled = <T extends Record<string, Type.TSchema>>(title: string, properties: T) =>
  Type.Object(properties, { title })

export const Rows = <T extends Record<string, Type.TSchema>>(members: T) => Type.Array(Type.Object(members))

/** A closed object: a misspelt field must not change a fiscal record. */
export const Closed = <T extends Record<string, Type.TSchema>>(
  properties: T,
  options: { title?: string; examples?: unknown[] } = {},
) => Type.Object(properties, { additionalProperties: false, ...options })

/** The same, with the name that the documents give it. */
export const TitledClosed = <T extends Record<string, Type.TSchema>>(title: string, properties: T) =>
  Closed(properties, { title })

/** A closed object that says just what `T` says. */
export const ClosedAs =
  <T>() =>
  <M extends Record<string, Type.TSchema>>(
    members: M & Record<keyof T, Type.TSchema> & Tied<T, Type.Static<Type.TObject<M>>>,
    options: { title?: string; examples?: unknown[] } = {},
  ) =>
    Closed<M>(members, options)

/** An object that is passed on as it came, under the names that it has outside. */
export const AsItCame = <T extends Type.TSchema>(schema: T) => Type.Unsafe<Type.Static<T>>(schema)

/** An object whose members have any names. What `Type.Record` rests on is most of its package, and slows `fisk` down. */
export const Dictionary = <T extends Type.TSchema>(member: T) =>
  Type.Unsafe<Record<string, Type.Static<T>>>({ type: 'object', additionalProperties: member })

/** A JSON object whose members are up to the caller. */
export const Free = (description: string) =>
  Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true, description })

/** The same where the name of the field says it all. */
export const Anything = Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true })

export const Mode = Type.Enum(MODES, {
  description: '`test` or `live`: which service of the tax authority is reached',
})

export const ActiveStatus = Type.Enum(ACTIVE_STATUSES)

/** The path of one thing of a list. Whatever it holds, what is not found is 404. */
export const IdParams = Type.Object({ id: Type.String({ description: 'The id of it' }) })
