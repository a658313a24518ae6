import * as Type from 'typebox'
import { Instant, Mode, Moment, Nullable, Titled } from '../common.ts'

const RestoredSequenceSchema = Type.Object({
  company: Type.String(),
  mode: Mode,
  premises_code: Type.String(),
  year: Type.Integer(),
  register: Type.String(),
  highest: Type.String({ description: 'The highest number in the backup' }),
  from: Nullable(Type.String({ description: 'The first number that is never given out; null when there is none' })),
  to: Nullable(Type.String({ description: 'The last one' })),
  used_to: Nullable(Type.String({ description: 'Up to here they are known to have been given out' })),
  why: Type.Enum(['stated', 'gap']),
})
export type RestoredSequence = Type.Static<typeof RestoredSequenceSchema>

const AskedServerSchema = Type.Object({
  url: Type.String(),
  sequences: Type.Integer(),
  reported_at: Nullable(Instant('When the gateway last told it how it is; null: never')),
  waiting: Nullable(Type.Integer({ description: 'Changes that it had not told of then' })),
})

/** What `fiskd --restore` has done. */
export const RestoredSchema = Titled('Restored', {
  database: Type.String(),
  file: Nullable(Type.String({ description: 'Null: the database is PostgreSQL, restored from a dump before' })),
  sha256: Nullable(Type.String({ description: 'Of the file; lowercase hex' })),
  invoices: Type.Integer(),
  newest_invoice_at: Nullable(Moment),
  of_gateways: Type.Optional(
    Type.Object(
      { gateways: Type.Integer(), invoices: Type.Integer(), newest_invoice_at: Nullable(Moment) },
      { description: "What a server holds of its gateways' sales; `invoices` above are its own" },
    ),
  ),
  replaced: Nullable(Type.String({ description: 'Where the database is that was there before' })),
  lost: Nullable(
    Type.Object({ invoices: Type.Integer(), without_jir: Type.Integer() }),
    'Sales of the newest database that was there and could be read, which the backup lacks; null without one',
  ),
  unreadable: Type.Array(Type.String(), {
    description: 'Databases that were there and could not be read to their end: they may know higher numbers',
  }),
  sequences: Type.Array(RestoredSequenceSchema),
  certificates_out_of_use: Type.Integer(),
  server: Nullable(AskedServerSchema, 'The central server that was asked; null when none was'),
})

export type Restored = Type.Static<typeof RestoredSchema>
