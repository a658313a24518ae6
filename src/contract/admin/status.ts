import * as Type from 'typebox'
import { BothSchema, Mode, Moment, Nullable, Titled } from '../common.ts'
import { FiscalHealthSchema } from '../v1/service.ts'
import { condition } from './printers.ts'
import { QueueSchema } from './queue.ts'
import { SyncSummarySchema } from './sync.ts'

const CompanyStatusSchema = Type.Object({
  name: Type.String(),
  oib: Type.String(),
  mode: Mode,
  status: Type.String(),
  certificate_status: Type.String(),
  certificate_days_left: Nullable(Type.Integer()),
})
export type CompanyStatusView = Type.Static<typeof CompanyStatusSchema>

/** How this machine differs from the one that the database was on before. */
const MachineChangeSchema = Nullable(Type.Object({ before: Type.String(), now: Type.String() }))

/** How the machine differed that is no longer another one; null when it did not. */
export const MachineAcceptedSchema = Type.Object({ accepted: MachineChangeSchema }, { title: 'MachineAccepted' })
export type MachineAcceptedView = Type.Static<typeof MachineAcceptedSchema>

export const StatusSchema = Titled('Status', {
  can_sell: Type.Boolean(),
  problems: Type.Array(Type.Object({ subject: Type.String(), problem: Type.String(), fix: Type.String() })),
  version: Type.String(),
  role: Type.String(),
  listen: Type.Array(Type.Object({ address: Type.String(), problem: Nullable(Type.String()) }), {
    description: 'The addresses that it is meant to be reached at; `problem`: why it is not',
  }),
  ca: Nullable(
    Type.Object({
      file: Type.String({ description: 'A copy that every local user can read, where there is one' }),
      sha256: Type.String({ description: 'Its fingerprint as openssl writes it: `AB:CD:...`' }),
    }),
    'The CA that clients pin; null with a certificate of the operator',
  ),
  uptime_s: Type.Integer(),
  checked_at: Moment,
  companies: Type.Array(CompanyStatusSchema),
  devices: Type.Object({ total: Type.Integer(), without_isu: Type.Integer(), able_to_sell: Type.Integer() }),
  queue: Type.Object(
    { ...QueueSchema.properties, oldest_at: Nullable(Moment), legal_deadline_at: Nullable(Moment) },
    { description: '`legal_deadline_at`: the nearest legal deadline of what can still get its JIR' },
  ),
  parked: Type.Object(
    { count: Type.Integer(), may_send: Type.Boolean() },
    { description: 'Failed because a JIR could not be believed; `may_send`: answers are believed again' },
  ),
  last_jir_at: Nullable(Moment),
  cis: Nullable(
    Type.Object({ ...FiscalHealthSchema.properties, detail: Nullable(BothSchema), age_s: Type.Integer() }),
    'null before the tax authority was asked for the first time',
  ),
  clock: Type.Object({
    status: Type.Enum(['ok', 'behind', 'off', 'jumped', 'unsynchronised']),
    trusted: Type.Boolean(),
    synchronised: Nullable(Type.Boolean()),
    offset_ms: Nullable(Type.Number()),
    newest_known_at: Nullable(Moment),
    detail: Nullable(BothSchema),
  }),
  disk: Type.Object({
    free_bytes: Nullable(Type.Integer()),
    left_out: Type.Array(Type.Enum(['logs', 'messages', 'sales']), {
      description: 'What is no longer stored for want of room',
    }),
    write_ms: Type.Optional(
      Nullable(Type.Integer({ description: 'How long a write took to be on the disk lately; null while unknown' })),
    ),
  }),
  printers: Type.Array(Type.Object({ device: Type.Object({ id: Type.String(), label: Type.String() }), ...condition })),
  sync: Nullable(SyncSummarySchema),
  machine_change: Type.Optional(MachineChangeSchema),
  backup: Type.Object({ last_at: Nullable(Moment), elsewhere: Type.Boolean() }),
  gateways: Type.Optional(Type.Integer({ description: 'How many a server has, enrolled or not' })),
  processes: Type.Array(
    Type.Object({
      host: Type.String(),
      pid: Type.Integer(),
      version: Type.String(),
      started_at: Moment,
      this_one: Type.Boolean({ description: 'It gave this answer' }),
    }),
    { description: 'Of a server on PostgreSQL: the processes that use its database; empty elsewhere' },
  ),
})
export type StatusView = Type.Static<typeof StatusSchema>
