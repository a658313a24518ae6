import { type Static, Type } from 'typebox'
import { SYNC_ANSWER_BOUNDS, SYNC_BOUNDS } from './bounds.ts'
import { Before } from './heartbeat.ts'
import { Closed, Count, Free, Moment, Nullable, Ordinal, Pattern, Text, Uuid } from './schemas.ts'

const Word = Text(SYNC_BOUNDS.heartbeatWord.most)
const CertificateName = Text(SYNC_BOUNDS.certificateName.most)

/** The receipt printer of a device, as its gateway last reported it; the settings have their outside names. */
const KnownPrinterSchema = Type.Object({
  device_id: Uuid,
  line: Word,
  profile: Word,
  settings: Free,
  expire_after_s: Count,
})

/** What the server knows of the machine that had this identity before; in the answer to an enrolment. */
export const PredecessorSchema = Type.Object({
  ...Before,
  printers: Type.Array(KnownPrinterSchema, { maxItems: SYNC_BOUNDS.heartbeatList.most }),
})

/** Where the next page goes on: companies come before devices. */
const IdentityPosition = Closed({ kind: Type.Enum(['company', 'device']), at: Moment, id: Uuid })

export const IdentityRequest = Closed({ after: Nullable(IdentityPosition) })

/** The rows of a gateway that its successor needs, a page at a time. */
export const IdentityResponse = Type.Object({
  /** Companies and devices, as in a push. */
  records: Type.Array(
    Type.Object({
      kind: Pattern('^(company|device)$'),
      id: Uuid,
      version: Ordinal,
      row: Type.Unknown(),
    }),
    { maxItems: SYNC_ANSWER_BOUNDS.identityRecords.most },
  ),
  certificates: Type.Array(
    Type.Object({
      company_id: Uuid,
      subject_cn: CertificateName,
      issuer: CertificateName,
      serial: CertificateName,
      not_after: Moment,
    }),
    { maxItems: SYNC_ANSWER_BOUNDS.identityRecords.most },
  ),
  /** How many invoices of the gateway can still get a JIR. */
  without_jir: Count,
  /** Null on the last page. */
  next: Nullable(IdentityPosition),
})

export type Predecessor = Static<typeof PredecessorSchema>
export type KnownPrinter = Static<typeof KnownPrinterSchema>
export type IdentityRequest = Static<typeof IdentityRequest>
export type IdentityResponse = Static<typeof IdentityResponse>
