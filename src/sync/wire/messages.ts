import { type Static, type TSchema, Type } from 'typebox'
import type { CommandOutcome, Heartbeat } from '../../fiscal/sync-port.ts'
import {
  Base64Url,
  Closed,
  Count,
  Digits,
  Free,
  Mode,
  Nullable,
  Pattern,
  PremisesCode,
  Register,
  Sha256,
  Text,
  Uuid,
} from './schemas.ts'

/** The number of the protocol that this version speaks. */
export const PROTOCOL = 1
/** Which process of a gateway is asking: a UUID of its own for every start. */
export const SESSION_HEADER = 'fiskd-sync-session'

export const SYNC_BASE = '/sync/v1'
/** `fisk_enroll_`, the token, `_`, the SHA-256 of the CA certificate's DER; both base64url of 32 bytes. */
export const ENROLLMENT_TOKEN = /^fisk_enroll_([A-Za-z0-9_-]{43})_([A-Za-z0-9_-]{43})$/
export const CREDENTIAL = /^fisk_sync_[A-Za-z0-9_-]{43}$/

export const MAX_RECORDS = 1000
export const MAX_COMPRESSED_BYTES = 8 * 1024 * 1024
export const MAX_INFLATED_BYTES = 32 * 1024 * 1024
export const MAX_ATTACHMENT_BYTES = 32 * 1024 * 1024
export const MAX_WAIT_S = 55

const Program = Text(60, 1)
const Premises = Type.Array(Closed({ company_id: Uuid, premises_code: PremisesCode }), { maxItems: 1000 })

/** The highest number of a sequence that the server has seen. */
export const WireNumber = Type.Object({
  company_id: Uuid,
  mode: Mode,
  premises_code: PremisesCode,
  year: Type.Integer(),
  register: Register,
  highest: Digits,
  level: Nullable(Type.Enum(['P', 'N'])),
})

export const EnrollRequest = Closed({
  token: Type.String({ pattern: '^fisk_enroll_[A-Za-z0-9_-]{43}(_[A-Za-z0-9_-]{43})?$' }),
  protocol: Count,
  program: Program,
  /** SHA-256 of the credential that the gateway has made for itself. */
  credential_hash: Sha256,
  /** X25519, SPKI DER. */
  public_key: Base64Url(200),
  /** The name of the machine, for people. */
  host: Text(200),
  /** The highest place of its outbox. */
  last: Count,
  premises: Premises,
})
export const EnrollResponse = Type.Object({
  gateway_id: Uuid,
  name: Type.String(),
  server_id: Uuid,
  /** Ed25519, SPKI DER. */
  server_key: Base64Url(200),
  protocol: Count,
  program: Type.String(),
  numbers: Type.Array(WireNumber),
})

export const HelloRequest = Closed({
  protocol: Count,
  program: Program,
  last: Count,
  last_command: Count,
  premises: Premises,
})
export const HelloResponse = Type.Object({
  gateway_id: Uuid,
  name: Type.String(),
  server_id: Uuid,
  protocol: Count,
  program: Type.String(),
  mark: Count,
  /** The highest version that the server was ever told, which may lie beyond the mark. */
  heard: Count,
  numbers: Type.Array(WireNumber),
  /** Of the premises that were named, those that are not this gateway's. */
  taken: Type.Array(
    Type.Object({
      company_id: Uuid,
      premises_code: PremisesCode,
      message: Type.String({ description: 'Whose they are, for people' }),
    }),
  ),
  /** When the gateway last said how it is, before this; null when it never has. */
  reported: Nullable(
    Type.Object({
      at: Count,
      ago_ms: Count,
      /** Rows that it had not told of then. */
      waiting: Count,
    }),
  ),
})

export const WireRecordSchema = Closed({
  kind: Pattern('^[a-z_]{1,40}$'),
  id: Pattern('^[0-9A-Za-z_/.-]{1,100}$'),
  version: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  row: Type.Unknown(),
})

export const PushRequest = Closed({
  after: Count,
  upto: Count,
  records: Type.Array(WireRecordSchema, { maxItems: MAX_RECORDS }),
})
/** What several gateways say differently, or have both; all rows are kept. */
export const WireConflict = Type.Object({
  what: Type.String({ description: '`label`, `isu_number` or `company`' }),
  value: Type.String(),
  devices: Type.Array(
    Type.Object({ id: Uuid, gateway: Type.String(), label: Type.String(), premises_code: Type.String() }),
  ),
  message: Type.String({ description: 'For people' }),
})
export const PushResponse = Type.Object({
  mark: Count,
  refused: Type.Array(
    Type.Object({
      kind: Type.String(),
      id: Type.String(),
      version: Count,
      code: Type.String(),
      message: Type.String(),
    }),
  ),
  conflicts: Type.Array(WireConflict),
})

const word = Text(200)
const told = <T extends Record<string, TSchema>>(properties: T) => Type.Object(properties)
/** Open: what a newer gateway says beside this is kept and not understood. */
export const HeartbeatSchema = Type.Unsafe<Heartbeat>(
  told({
    version: Program,
    uptime_s: Type.Number({ minimum: 0 }),
    can_sell: Type.Boolean(),
    problems: Type.Array(told({ code: word, message: Text(2000) }), { maxItems: 100 }),
    queue: told({ pending: Count, retrying: Count, failed: Count, expired: Count, oldest_at: Nullable(word) }),
    outbox: told({ waiting: Count, refused: Count }),
    printers: Type.Array(told({ device_id: word, state: word, detail: Nullable(Text(2000)) }), { maxItems: 100 }),
    clock: told({ status: word, trusted: Type.Boolean(), offset_ms: Nullable(Type.Number()), now: word }),
    disk: told({ free_bytes: Nullable(Type.Number()), left_out: Type.Array(word, { maxItems: 20 }) }),
    last_jir_at: Nullable(word),
  }),
)

export const PollRequest = Closed({
  wait_s: Type.Integer({ minimum: 0, maximum: MAX_WAIT_S }),
  heartbeat: HeartbeatSchema,
  last_command: Count,
})
export const PollResponse = Type.Object({
  commands: Type.Array(Type.Object({ payload: Base64Url(4_000_000), signature: Base64Url(200) })),
  again_s: Type.Number(),
})

export const COMMAND_OUTCOMES = [
  'done',
  'failed',
  'refused',
  'expired',
  'interrupted',
] as const satisfies readonly CommandOutcome[]
export const CommandResult = Closed({ status: Type.Enum(COMMAND_OUTCOMES), result: Nullable(Free) })

export type EnrollRequest = Static<typeof EnrollRequest>
export type EnrollResponse = Static<typeof EnrollResponse>
export type HelloRequest = Static<typeof HelloRequest>
export type HelloResponse = Static<typeof HelloResponse>
export type PushRequest = Static<typeof PushRequest>
export type PushResponse = Static<typeof PushResponse>
export type PollRequest = Static<typeof PollRequest>
export type PollResponse = Static<typeof PollResponse>
export type CommandResult = Static<typeof CommandResult>
export type WireConflict = Static<typeof WireConflict>
export type WireNumber = Static<typeof WireNumber>
