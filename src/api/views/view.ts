import type { Static, TArray, TObject, TOptional, TProperties, TSchema, TUnion } from 'typebox'
import * as Type from 'typebox'
import type { TMoment } from '../../contract/common.ts'
import type { ListView } from '../../contract/list.ts'
import { type EpochMs, formatInstant } from '../../domain/instant.ts'
import { type ListName, type Page, writeCursor } from '../../fiscal/list-page.ts'

type CamelCase<Name> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<CamelCase<Rest>>}` : Name

/** What a schema of the contract describes, under the names that it has inside (`companyId`), and moments as numbers. */
type Inside<S> = S extends TMoment
  ? EpochMs
  : S extends TObject<infer P extends TProperties>
    ? { readonly [K in keyof P as P[K] extends TOptional ? never : CamelCase<K>]: Inside<P[K]> } & {
        readonly [K in keyof P as P[K] extends TOptional ? CamelCase<K> : never]?: Inside<P[K]> | undefined
      }
    : S extends TArray<infer Item>
      ? readonly Inside<Item>[]
      : S extends TUnion<infer Members>
        ? Inside<Members[number]>
        : Static<S & TSchema>

/** A value as its schema names and writes it; what the schema does not name is left out. */
export function view<S extends TSchema>(schema: S, value: Inside<S>): Static<S> {
  return written(schema, value) as Static<S>
}

function written(schema: TSchema, value: unknown): unknown {
  if (value === null || Type.IsUnsafe(schema)) return value
  if (Type.IsUnion(schema)) return written(schema.anyOf.find((one) => !Type.IsNull(one)) ?? {}, value)
  if (Type.IsString(schema)) return typeof value === 'number' ? formatInstant(value) : value
  if (Type.IsArray(schema)) return (value as unknown[]).map((item) => written(schema.items, item))
  if (!Type.IsObject(schema)) return value
  const members = value as Record<string, unknown>
  const told = Object.entries(schema.properties).map(([name, member]) => {
    const inside = members[camelCase(name)]
    return [name, inside === undefined ? undefined : written(member, inside)]
  })
  return Object.fromEntries(told.filter(([, outside]) => outside !== undefined))
}

/** The members of a body under the names that they have inside. */
export function inside<T extends object>(body: T): { [K in keyof T as CamelCase<K>]: T[K] } {
  return Object.fromEntries(Object.entries(body).map(([name, value]) => [camelCase(name), value])) as never
}

const camelCase = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/** The envelope of a list that is complete on its one page. */
export function wholeList<T>(data: T[]): ListView<T> {
  return { object: 'list', data, has_more: false, next_cursor: null }
}

/** The envelope of one page of a list. */
export function pageList<T, V>(list: ListName, { items, next }: Page<T>, view: (item: T) => V): ListView<V> {
  return {
    object: 'list',
    data: items.map(view),
    has_more: next !== null,
    next_cursor: next && writeCursor(list, next),
  }
}
