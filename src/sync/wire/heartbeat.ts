import { type TSchema, Type } from 'typebox'
import { SYNC_BOUNDS } from './bounds.ts'
import { Count, Free, Instant, Mode, Moment, Nullable, Text } from './schemas.ts'

export const Program = Text(SYNC_BOUNDS.program.most, 1)

const Word = Text(SYNC_BOUNDS.heartbeatWord.most)
const LONGEST_MS = SYNC_BOUNDS.offsetMs.most
const LIST = { maxItems: SYNC_BOUNDS.heartbeatList.most }

/** Open: what a newer gateway says beside this is kept and not understood. The body that it comes in bounds it. */
const Told = <T extends Record<string, TSchema>>(properties: T) => Type.Object(properties)

/** When the machine before was last heard, and when its database was last restored; null for unknown, and for never. */
export const Before = { last_seen_at: Nullable(Moment), restored_at: Nullable(Moment) }

/** What a gateway says of itself with every poll; pages and commands show it as it came. */
export const HeartbeatSchema = Told({
  version: Program,
  uptime_s: Type.Number({ minimum: 0, maximum: SYNC_BOUNDS.uptimeS.most }),
  can_sell: Type.Boolean(),
  problems: Type.Array(
    Told({
      cause: Word,
      subject: Word,
      count: Type.Optional(Count),
      mode: Type.Optional(Mode),
      company_id: Type.Optional(Word),
      device_id: Type.Optional(Word),
      premises: Type.Optional(Told({ code: Word, register: Nullable(Word) })),
    }),
    LIST,
  ),
  queue: Told({ pending: Count, retrying: Count, failed: Count, expired: Count, oldest_at: Nullable(Instant) }),
  outbox: Told({ waiting: Count, refused: Count }),
  printers: Type.Array(
    Told({
      device_id: Word,
      state: Word,
      paper: Nullable(Word),
      reason: Nullable(Word),
      /** Left out where the settings are too long. */
      setup: Type.Optional(Told({ line: Word, profile: Word, settings: Free, expire_after_s: Count })),
    }),
    LIST,
  ),
  clock: Told({
    status: Word,
    trusted: Type.Boolean(),
    offset_ms: Nullable(Type.Number({ minimum: -LONGEST_MS, maximum: LONGEST_MS })),
    now: Instant,
  }),
  disk: Told({
    free_bytes: Nullable(Type.Number({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    left_out: Type.Array(Word, { maxItems: SYNC_BOUNDS.leftOut.most }),
  }),
  last_jir_at: Nullable(Instant),
  breaks: Type.Optional(
    Type.Array(Told({ mode: Mode, from: Instant, until: Nullable(Instant), extended: Type.Array(Word, LIST) }), LIST),
  ),
  restored_at: Nullable(Moment),
  /** Of the machine that it replaces, until it has taken over from it. */
  replaces: Type.Optional(Told(Before)),
})
