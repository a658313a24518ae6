import { type Static, Type } from 'typebox'
import { COMMAND_OUTCOMES } from '../../fiscal/ports/gateway-commands.ts'
import { SYNC_ANSWER_BOUNDS, SYNC_BOUNDS } from './bounds.ts'
import { HeartbeatSchema, Program } from './heartbeat.ts'
import { PredecessorSchema } from './identity.ts'
import {
  Base64Url,
  Closed,
  Count,
  Digits,
  Free,
  Mode,
  Moment,
  Nullable,
  Ordinal,
  Pattern,
  PremisesCode,
  Register,
  Sha256,
  Text,
  Uuid,
  Year,
} from './schemas.ts'

export const PROTOCOL = 1
/** Which process of a gateway is asking: a UUID of its own for every start. */
export const SESSION_HEADER = 'fiskd-sync-session'

export const SYNC_BASE = '/sync/v1'
/** `fisk_enroll_`, the token, `_`, the SHA-256 of the CA certificate's DER; both base64url of 32 bytes. */
export const ENROLLMENT_TOKEN = /^fisk_enroll_([A-Za-z0-9_-]{43})_([A-Za-z0-9_-]{43})$/
export const CREDENTIAL = /^fisk_sync_[A-Za-z0-9_-]{43}$/

const ServerKey = Base64Url(SYNC_ANSWER_BOUNDS.key.most)
const Premises = Type.Array(Closed({ company_id: Uuid, premises_code: PremisesCode }), {
  maxItems: SYNC_BOUNDS.namedPremises.most,
})

/** The highest number of a sequence that the server has seen. */
export const WireNumber = Type.Object({
  company_id: Uuid,
  mode: Mode,
  premises_code: PremisesCode,
  year: Year,
  register: Register,
  highest: Digits,
  level: Nullable(Type.Enum(['P', 'N'])),
})
/** A value of its own for each question: an answer to another one, of another time or another gateway, is none to this one. */
const Nonce = Pattern('^[A-Za-z0-9_-]{43}$')
const Numbers = Type.Array(WireNumber, { maxItems: SYNC_ANSWER_BOUNDS.numbers.most })

/** What a gateway says of itself first of all. */
const Greeting = {
  protocol: Count,
  program: Program,
  /** The highest position of its outbox. */
  last: Count,
  premises: Premises,
  nonce: Nonce,
}

/** What a server answers to it. */
const Greeted = {
  gateway_id: Uuid,
  name: Type.String(),
  server_id: Uuid,
  protocol: Count,
  program: Type.String(),
  numbers: Numbers,
  /** Ed25519 over the numbers, the gateway and the nonce of the request. */
  numbers_signature: ServerKey,
}

export const EnrollRequest = Closed({
  ...Greeting,
  token: Type.String({ pattern: '^fisk_enroll_[A-Za-z0-9_-]{43}(_[A-Za-z0-9_-]{43})?$' }),
  /** SHA-256 of the credential that the gateway has made for itself. */
  credential_hash: Sha256,
  /** X25519, SPKI DER. */
  public_key: Base64Url(SYNC_BOUNDS.key.most),
  /** The name of the machine, for people. */
  host: Text(SYNC_BOUNDS.host.most),
})
export const EnrollResponse = Type.Object({
  ...Greeted,
  /** Ed25519, SPKI DER. */
  server_key: ServerKey,
  before: PredecessorSchema,
})

/** Where the sequences go on at the machine that replaces a gateway. */
export const SkippedRequest = Closed({
  numbers: Type.Array(Closed(WireNumber.properties), { maxItems: SYNC_BOUNDS.skippedNumbers.most }),
})
export type SkippedRequest = Static<typeof SkippedRequest>

export const HelloRequest = Closed({ ...Greeting, last_command: Count })
export const HelloResponse = Type.Object({
  ...Greeted,
  position: Count,
  /** The highest version that the server was ever told, which may lie beyond the position. */
  heard: Count,
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
      at: Moment,
      ago_ms: Count,
      /** Rows that the gateway had not pushed at that time. */
      waiting: Count,
    }),
  ),
})

/** Each row is checked on its own, so that a malformed row does not stop the others. */
const WireRecord = Closed({
  kind: Pattern(`^[a-z_]{1,${SYNC_BOUNDS.kind.most}}$`),
  id: Pattern(`^[0-9A-Za-z_/.-]{1,${SYNC_BOUNDS.id.most}}$`),
  version: Ordinal,
  row: Type.Unknown(),
})

export const PushRequest = Closed({
  after: Count,
  position: Count,
  records: Type.Array(WireRecord, { maxItems: SYNC_BOUNDS.records.most }),
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
  position: Count,
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

export const PollRequest = Closed({
  wait_s: Type.Integer({ minimum: 0, maximum: SYNC_BOUNDS.waitS.most }),
  heartbeat: HeartbeatSchema,
  last_command: Count,
})
export const PollResponse = Type.Object({
  commands: Type.Array(Type.Object({ payload: Base64Url(SYNC_ANSWER_BOUNDS.commandText.most), signature: ServerKey })),
  again_s: Type.Number({ minimum: 0 }),
  /** What makes links to receipts; absent where the server shows none. */
  receipt_links: Type.Optional(
    Type.Object({ base: Type.String({ maxLength: 100 }), key: Base64Url(SYNC_ANSWER_BOUNDS.key.most) }),
  ),
})

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
export type WireRecord = Static<typeof WireRecord>
