import * as Type from 'typebox'
import { Nullable, Titled } from '../common.ts'

/** What `fiskd --rehearse` has found out. */
export const RehearsalSchema = Titled('Rehearsal', {
  ok: Type.Boolean(),
  version: Type.String(),
  from_schema: Nullable(Type.String()),
  to_schema: Nullable(Type.String()),
  migrates: Type.Boolean({
    description: 'The schema changes: an older program does not take the database any more',
  }),
  invoices: Type.Integer(),
  seconds: Type.Number(),
  kept: Nullable(Type.String({ description: 'Where the copy is that was kept as it was' })),
  data_dir: Nullable(Type.String({ description: 'null when the configuration does not tell' })),
  database: Nullable(Type.String({ description: 'Its path; null when there is none' })),
  problems: Type.Array(Type.String()),
  not_rehearsed: Nullable(Type.String({ description: 'Why nothing was rehearsed; null when something was' })),
})

export type Rehearsal = Type.Static<typeof RehearsalSchema>
