import * as Type from 'typebox'
import { Free, Instant, Mode, Nullable, Titled } from '../common.ts'

export const CA_TYPE = 'application/x-pem-file'

export const CaPem = Type.String({ description: 'Begins with `-----BEGIN CERTIFICATE-----`' })

/** What is known of a country (docs/spec/interface.md, Country). */
export const CountrySchema = Titled('Country', {
  code: Type.String({ description: 'ISO 3166-1 alpha-2', examples: ['HR'] }),
  capabilities: Type.Array(Type.String()),
  fiscalization_deadline_days: Type.Integer({ description: 'Days after a sale in which it can be fiscalized' }),
})
export type CountryView = Type.Static<typeof CountrySchema>

export const CountrySchemasSchema = Titled('CountrySchemas', {
  code: Type.String(),
  schemas: Free('The JSON Schemas of request bodies, by name'),
})

/** Whether this service works (docs/spec/interface.md, Service health result). */
export const HealthSchema = Titled('Health', {
  status: Type.Enum(['ok', 'degraded', 'down']),
  version: Type.String(),
  uptime_s: Type.Integer(),
  checks: Type.Object({
    database: Type.Object({
      status: Type.Enum(['ok', 'degraded', 'down']),
      latency_ms: Nullable(Type.Integer()),
      detail: Nullable(Type.String({ description: 'For people: why nothing can be sold on it' })),
    }),
    disk: Type.Object({
      status: Type.Enum(['ok', 'degraded', 'down']),
      free_bytes: Nullable(Type.Integer({ description: 'Left where the database lives' })),
    }),
    clock: Type.Object({
      status: Type.Enum(['ok', 'degraded'], {
        description: 'Sales go on with `degraded`; none is refused by this clock',
      }),
      synchronised: Nullable(Type.Boolean({ description: 'With a time server; null when nobody can tell' })),
      offset_ms: Nullable(
        Type.Integer({ description: 'How much it is ahead of a time server or the tax authority, if one was heard' }),
      ),
      detail: Nullable(Type.String({ description: 'For people: what is wrong with it' })),
    }),
    printers: Type.Object({
      status: Type.Enum(['ok', 'degraded'], { description: '`degraded`: some receipt may not come out' }),
      total: Type.Integer({ description: 'Devices that have a receipt printer' }),
      ready: Type.Integer({ description: 'Of these, how many can print' }),
      detail: Nullable(Type.String({ description: 'For people: what is wrong with the first that is not well' })),
    }),
    numbers: Type.Object({
      status: Type.Enum(['ok', 'degraded'], {
        description: '`degraded`: some premises soon cannot number its sales',
      }),
      ending: Type.Integer({ description: 'Sequences of receipt numbers that are close to their end' }),
    }),
    sales: Type.Object({
      status: Type.Enum(['ok', 'degraded', 'down']),
      reasons: Type.Array(Type.String(), { description: 'For people: what else keeps this process from selling' }),
    }),
  }),
  checked_at: Instant('When this was found out'),
})

/** Whether the tax authority answers (docs/spec/interface.md, Fiscal health result). */
export const FiscalHealthSchema = Titled('FiscalHealth', {
  reachable: Type.Boolean(),
  latency_ms: Type.Integer(),
  endpoint: Type.String(),
  mode: Mode,
  checked_at: Instant('When it was asked; at most 15 seconds ago'),
  detail: Nullable(Type.String({ description: 'For people' })),
})
