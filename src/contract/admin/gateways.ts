import * as Type from 'typebox'
import { AsItCame, Mode, Moment, Nullable, Rows, Titled } from '../common.ts'
import { ListOf } from '../list.ts'
import { RefusalSchema } from './sync.ts'

const texts = Type.Array(Type.String())

const EpochMs = Type.Integer({ description: 'Milliseconds since 1970' })
const PrinterSetup = Type.Object({
  line: Type.String(),
  profile: Type.String(),
  settings: Type.Object({}, { additionalProperties: true }),
  expire_after_s: Type.Integer(),
})

/** What a gateway says of itself, as it came; a part of it is only for the machine that replaces it. */
const HeartbeatSchema = Titled('Heartbeat', {
  version: Type.String(),
  uptime_s: Type.Number(),
  can_sell: Type.Boolean(),
  problems: Rows({
    cause: Type.String(),
    subject: Type.String(),
    count: Type.Optional(Type.Integer()),
    mode: Type.Optional(Mode),
    company_id: Type.Optional(Type.String()),
    device_id: Type.Optional(Type.String()),
    premises: Type.Optional(Type.Object({ code: Type.String(), register: Nullable(Type.String()) })),
  }),
  queue: Type.Object({
    pending: Type.Integer(),
    retrying: Type.Integer(),
    failed: Type.Integer(),
    expired: Type.Integer(),
    oldest_at: Nullable(Moment),
  }),
  outbox: Type.Object({ waiting: Type.Integer(), refused: Type.Integer() }),
  printers: Rows({
    device_id: Type.String(),
    state: Type.String(),
    paper: Nullable(Type.String()),
    reason: Nullable(Type.String()),
    setup: Type.Optional(PrinterSetup),
  }),
  clock: Type.Object({
    status: Type.String(),
    trusted: Type.Boolean(),
    offset_ms: Nullable(Type.Number()),
    now: Moment,
  }),
  disk: Type.Object({ free_bytes: Nullable(Type.Number()), left_out: texts }),
  last_jir_at: Nullable(Moment),
  breaks: Type.Optional(
    Type.Array(Type.Object({ mode: Mode, from: Moment, until: Nullable(Moment), extended: texts })),
  ),
  restored_at: Nullable(EpochMs),
  replaces: Type.Optional(Type.Object({ last_seen_at: Nullable(EpochMs), restored_at: Nullable(EpochMs) })),
})

const named = { id: Type.String(), name: Type.String() }
const companies = Nullable(texts, 'The OIBs that it may sell for; null for every company of its tenant')

const gateway = {
  ...named,
  state: Type.Enum(['awaiting_token', 'connected', 'silent', 'duplicated', 'left', 'revoked']),
  version: Nullable(Type.String()),
  created_at: Moment,
  enrolled_at: Nullable(Moment),
  last_seen_at: Nullable(Moment),
  revoked_at: Nullable(Moment),
  duplicated_at: Nullable(Moment),
  token_expires_at: Nullable(Moment),
  refused: Type.Integer({ description: 'Records of it that were refused, or that this server has failed at' }),
  heartbeat: Nullable(AsItCame(HeartbeatSchema)),
  companies,
}

export const GatewaySchema = Type.Object(gateway, { title: 'Gateway' })
export type GatewayView = Type.Static<typeof GatewaySchema>

export const GatewayList = ListOf(GatewaySchema, 'GatewayList')

/** The same label or ISU number in several gateways. */
const ConflictSchema = Type.Object({
  what: Type.Enum(['label', 'isu_number']),
  value: Type.String(),
  company_id: Type.String(),
  devices: Rows({
    id: Type.String(),
    gateway_id: Nullable(Type.String()),
    label: Type.String(),
    premises_code: Type.String(),
  }),
})

export const GatewayDetailsSchema = Titled('GatewayDetails', {
  ...gateway,
  premises: Type.Array(Type.Object({ company_id: Type.String(), premises_code: Type.String() })),
  refusals: Type.Array(RefusalSchema),
  conflicts: Type.Array(ConflictSchema),
})
export type GatewayDetailsView = Type.Static<typeof GatewayDetailsSchema>

/** A gateway that was just made: the only time that its token is shown. */
export const NewGatewaySchema = Titled('NewGateway', {
  ...named,
  token: Type.String(),
  token_expires_at: Nullable(Moment),
})
export type NewGatewayView = Type.Static<typeof NewGatewaySchema>

export const GatewayCompaniesSchema = Type.Object({ ...named, companies }, { title: 'GatewayCompanies' })

export const RevokedGatewaySchema = Titled('RevokedGateway', {
  ...named,
  revoked_at: Nullable(Moment),
  released: Type.Boolean(),
})
export type RevokedGatewayView = Type.Static<typeof RevokedGatewaySchema>

/** An invoice that was refused for its number and is to be stored now. */
export const AcceptedInvoiceSchema = Titled('AcceptedInvoice', {
  ...named,
  invoice_id: Type.String(),
  follow: Type.Boolean({ description: 'Counting goes on from its number' }),
})
export type AcceptedInvoiceView = Type.Static<typeof AcceptedInvoiceSchema>
