import * as Type from 'typebox'
import { Dictionary, Nullable, Titled } from '../common.ts'

/** The report of `fiskd --prepare`: the paths of the parts, and which parts it has just created. Paths are absolute. */
export const PreparedSchema = Titled('Prepared', {
  data_dir: Type.String(),
  database: Type.String(),
  vault_key: Type.String(),
  tls_ca: Type.String(),
  created: Type.Array(Type.String(), { description: 'The parts that were not there before' }),
})
export type Prepared = Type.Static<typeof PreparedSchema>

const texts = (description: string) => Type.Array(Type.String(), { description })

/** What `fiskd --check-config` reports of an environment. */
export const JudgementSchema = Titled('Judgement', {
  ok: Type.Boolean(),
  problems: texts('What is wrong with it, by name and value: the daemon would not start'),
  unknown: texts('Variables that look like its own and are not'),
  absent: texts('Addresses in FISKD_LISTEN that this machine does not have now'),
})
export type Judgement = Type.Static<typeof JudgementSchema>

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

/** What `fiskd --prepare-image` would remove of the data directory, and with `--remove` has removed. */
export const ImagePreparedSchema = Titled('ImagePrepared', {
  data_dir: Type.String(),
  removed: Type.Array(Type.String(), { description: 'Names in the data directory' }),
  kept: Type.Array(Type.String(), { description: 'Names in the data directory' }),
  done: Type.Boolean({ description: 'False: nothing has been removed yet' }),
})
export type ImagePrepared = Type.Static<typeof ImagePreparedSchema>

/** What `fiskd --migrate-store` has done. */
export const StoreMovedSchema = Titled('StoreMoved', {
  from: Type.String(),
  to: Type.String({ description: 'Without its password' }),
  invoices: Type.Integer(),
  rows: Nullable(
    Dictionary(Type.Integer()),
    'Rows that went over, by table; null when only the end of an earlier move was missing',
  ),
})
export type StoreMoved = Type.Static<typeof StoreMovedSchema>
