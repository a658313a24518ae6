import * as Type from 'typebox'
import { Dictionary, Titled } from '../common.ts'

/** What `fiskd --migrate-store` has done. */
export const StoreMovedSchema = Titled('StoreMoved', {
  from: Type.String(),
  to: Type.String({ description: 'Without its password' }),
  invoices: Type.Integer(),
  rows: Type.Union([Dictionary(Type.Integer()), Type.Null()], {
    description: 'Rows that went over, by table; null when only the end of an earlier move was missing',
  }),
})

export type StoreMoved = Type.Static<typeof StoreMovedSchema>
