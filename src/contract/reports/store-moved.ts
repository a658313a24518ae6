import { type Static, Type } from 'typebox'

/** What `fiskd --migrate-store` has done. */
export const StoreMovedSchema = Type.Object(
  {
    from: Type.String(),
    to: Type.String({ description: 'Without its password' }),
    invoices: Type.Integer(),
    rows: Type.Union([Type.Record(Type.String(), Type.Integer()), Type.Null()], {
      description: 'Rows that went over, by table; null when only the end of an earlier move was missing',
    }),
  },
  { title: 'StoreMoved' },
)

export type StoreMoved = Static<typeof StoreMovedSchema>
