import * as Type from 'typebox'
import { Nullable } from './common.ts'

export const PAGE = {
  limit: Type.Optional(Type.String({ format: 'limit', description: 'Rows per page' })),
  cursor: Type.Optional(Type.String({ description: '`next_cursor` of the page before' })),
}

/** Any text, because it is ignored for callers without the right (docs/spec/interface.md, GET /v1/companies). */
export const ALL_TENANTS = {
  all_tenants: Type.Optional(
    Type.Unsafe<string | string[]>({ description: '`true` for platform administrators; ignored for everybody else' }),
  ),
}

/** The list envelope (docs/spec/interface.md, List envelope). */
export const ListOf = <T extends Type.TSchema>(row: T, title: string) =>
  Type.Object(
    {
      object: Type.Literal('list'),
      data: Type.Array(row),
      has_more: Type.Boolean(),
      next_cursor: Nullable(Type.String(), 'Opaque; null on the last page'),
    },
    { title },
  )

export type ListView<T> = Type.Static<ReturnType<typeof ListOf<Type.TUnsafe<T>>>>
