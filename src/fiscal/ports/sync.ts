import type { AlertState } from '../../domain/alert.ts'
import type { EpochMs } from '../../domain/instant.ts'
import type { SequenceMark } from '../../domain/sale/receipt-number.ts'
import type { Certificate, Company, Device, Invoice, JsonObject, MessageRecord, PrintJob, Sequence } from './model.ts'

/** Something that somebody should know: raised once, however often it is noticed, until it is resolved. */
export interface Alert {
  id: string
  tenantId: string
  /** Whose it is, as `Invoice.gatewayId`. */
  gatewayId: string
  /** What is wrong, such as `gateway_silent`. */
  kind: string
  /** What it is wrong with: an id. */
  subject: string
  detail: JsonObject
  raisedAt: EpochMs
  acknowledgedAt: EpochMs | null
  acknowledgedBy: string | null
  resolvedAt: EpochMs | null
}

/** In the order in which rows rest on each other: each only on rows of kinds before it. */
export const SYNC_KINDS = ['company', 'certificate', 'device', 'invoice', 'message', 'print_job', 'alert'] as const
export type SyncKind = (typeof SYNC_KINDS)[number]

/** A message with its XML as it is kept: packed once, where it was sent, for whoever reads it. */
export type ZippedMessage = Omit<MessageRecord, 'requestXml' | 'responseXml'> & {
  /** gzip of the UTF-8 text. */
  requestXml: Buffer | null
  responseXml: Buffer | null
}

/** Rows as they travel: whose they are is known from who sends them, and no secret goes along. */
export interface SyncRows {
  company: Omit<Company, 'tenantId' | 'gatewayId'>
  certificate: Omit<Certificate, 'sealedKey'>
  device: Omit<Device, 'tenantId' | 'gatewayId'>
  invoice: Omit<Invoice, 'tenantId' | 'gatewayId'>
  message: ZippedMessage
  print_job: PrintJob
  alert: Omit<Alert, 'tenantId' | 'gatewayId'>
}

/** Which row: its kind and its id; that of a print job is `INVOICE/COPY`. */
export interface SyncPlace {
  kind: SyncKind
  id: string
}

/** A whole row as it is at a version: the place of its latest change in the outbox of its gateway. */
export type SyncRecord = { [K in SyncKind]: { kind: K; id: string; version: number; row: SyncRows[K] } }[SyncKind]

export interface OutboxEntry extends SyncPlace {
  seq: number
}

/** The changes that a central server is to be told, each row once, at the place of its latest change. */
export interface Outbox {
  /** Changes after a place, in order. */
  after(seq: number, limit: number): Promise<OutboxEntry[]>
  /** The entries of these rows, in no order; a row that is not there has none. */
  of(places: readonly SyncPlace[]): Promise<OutboxEntry[]>
  /** How many rows changed after a place, about: they are counted in slices, and others go on meanwhile. */
  waiting(seq: number): Promise<number>
  /** The highest place that was ever given out; 0 before the first. */
  last(): Promise<number>
  /** The next change gets a place behind this one. */
  goBeyond(seq: number): Promise<void>
  /** Gives every row a new place, counted from 1, in the order that they have. */
  beginAnew(): Promise<void>
  /** Puts rows behind all others, as if they had changed. */
  touch(places: readonly SyncPlace[]): Promise<void>
  /**
   * The rows as they are now, of one tenant, each with its entry's place as its version; rows of other tenants, and what
   * is no longer there, are left out.
   */
  read(entries: readonly OutboxEntry[], tenantId: string): Promise<SyncRecord[]>
}

/** Where and as whom a gateway tells. Secrets are sealed by the vault. */
export interface Enrolment {
  tenantId: string
  url: string
  /** The CA that the server's certificate must lead to, PEM; null for those that the system trusts. */
  caPem: string | null
  sealedCredential: Buffer
  /** The gateway's X25519 key, PKCS#8 DER. */
  sealedKey: Buffer
  gatewayId: string
  name: string | null
  serverId: string | null
  /** The Ed25519 key that commands are signed with, SPKI DER as base64url. */
  serverKey: string | null
  /** The server has everything up to this place of the outbox. */
  position: number
  /** What the server may have heard of ends here: if it knows more, this database is older than what it was told. */
  pushed: number
  /** Rows up to this place are to be put behind it before anything is told: the server knows others by these places. */
  tellAgainTo: number | null
  /** When the server last took something. */
  toldAt: EpochMs | null
  /** The version of the server's program when it last said hello. */
  serverProgram: string | null
  /** Numbers that the server has told and that are not learned: of companies that are not here yet, or doubtful ones. */
  numbers: readonly KeptNumber[]
  /** The number of the last command that was taken up or refused. */
  lastCommand: number
  enrolledAt: EpochMs
}

/** The code of a refused invoice whose number is far above all that is known there (`isWithinReach`). */
export const OUT_OF_REACH = 'out_of_reach'
/**
 * The code that takes its place when an operator has accepted the invoice: it is stored when its gateway tells of it
 * again, and counting goes on from where it is, or from the number.
 */
export const ACCEPTED = { aside: 'accepted', counted: 'accepted_to_follow' } as const
export type Acceptance = keyof typeof ACCEPTED

export interface Refusal extends SyncPlace {
  version: number
  code: string
  message: string
  refusedAt: EpochMs
}

export interface Enrolments {
  get(): Promise<Enrolment | undefined>
  put(enrolment: Enrolment): Promise<void>
  update(changes: Partial<Enrolment>): Promise<void>
  remove(): Promise<void>
  /** What the server has refused: no more than there are rows. */
  refusals: {
    /** The newest word on each row counts. */
    put(refusals: readonly Refusal[]): Promise<void>
    /** What was refused of these rows has been taken since. */
    remove(places: readonly SyncPlace[]): Promise<void>
    /** The latest first. */
    list(limit: number): Promise<Refusal[]>
    /** Those behind a place, in the order of their kinds and ids. */
    page(after: SyncPlace | null, limit: number): Promise<Refusal[]>
    /** About: they are counted in slices, and others go on meanwhile. */
    count(): Promise<number>
  }
}

/** The highest number of a sequence that somebody knows to have been given out. */
export interface SeenNumber extends Sequence {
  highest: string
  level: SequenceMark | null
}

/** Why a number is not believed: it is far above all that is known here, or the server's signature is missing. */
export type NumberDoubt = 'out_of_reach' | 'unsigned'
export type KeptNumber = SeenNumber & { doubt?: NumberDoubt }
export type DoubtedNumber = SeenNumber & { doubt: NumberDoubt }

export const COMMAND_TYPES = [
  'device.set_isu',
  'device.change',
  'device.add',
  'certificate.add',
  'api_key.revoke',
  'invoice.retry',
  'invoices.requeue',
  'receipt.copy',
  'doctor',
  'support_bundle',
] as const
export type CommandType = (typeof COMMAND_TYPES)[number]

export type CommandStatus = 'waiting' | 'done' | 'failed' | 'refused' | 'expired' | 'interrupted'
export type CommandOutcome = Exclude<CommandStatus, 'waiting'>

/** What a gateway is to do, as the server keeps it. */
export interface GatewayCommand {
  id: string
  gatewayId: string
  /** Its place among the commands of its gateway. */
  number: number
  type: CommandType
  body: JsonObject
  /** Who asked for it: the id of a principal. */
  issuedBy: string
  issuedAt: EpochMs
  /** From then on the gateway refuses it. */
  expiresAt: EpochMs
  status: CommandStatus
  sentAt: EpochMs | null
  answeredAt: EpochMs | null
  result: JsonObject | null
}

export type NewGatewayCommand = Pick<
  GatewayCommand,
  'id' | 'gatewayId' | 'type' | 'body' | 'issuedBy' | 'issuedAt' | 'expiresAt'
>

/** What a command brought back that is no JSON. */
export interface CommandAttachment {
  name: string
  content: Buffer
}

/** A command as the gateway keeps it, so that it is done once at most. */
export interface ReceivedCommand {
  id: string
  number: number
  type: string
  receivedAt: EpochMs
  status: 'begun' | CommandOutcome
  result: JsonObject | null
  /** When the server has taken the result. */
  toldAt: EpochMs | null
}

/** What a gateway says of itself with every poll. */
export interface Heartbeat {
  version: string
  uptime_s: number
  can_sell: boolean
  problems: { code: string; message: string }[]
  queue: { pending: number; retrying: number; failed: number; expired: number; oldest_at: string | null }
  outbox: { waiting: number; refused: number }
  printers: { device_id: string; state: string; detail: string | null }[]
  clock: { status: string; trusted: boolean; offset_ms: number | null; now: string }
  disk: { free_bytes: number | null; left_out: string[] }
  last_jir_at: string | null
}

/** A gateway as the server knows it. */
export interface GatewayRecord {
  id: string
  tenantId: string
  name: string
  createdAt: EpochMs
  /** SHA-256 of the one-time token, lowercase hex; null when there is none to use. */
  tokenHash: string | null
  tokenExpiresAt: EpochMs | null
  /** SHA-256 of its credential, lowercase hex. */
  credentialHash: string | null
  /** X25519, SPKI DER as base64url. */
  publicKey: string | null
  enrolledAt: EpochMs | null
  revokedAt: EpochMs | null
  /** Everything up to this place of its outbox is stored here, or was refused. */
  mark: number
  /** The highest place that it ever told of: what others rest on comes ahead of its turn. */
  heard: number
  /** The process of the gateway that may push now, and the one before it. */
  session: string | null
  sessionBefore: string | null
  /** How often the one before has come back since. */
  strikes: number
  /** Since when two machines have used its identity; nothing is taken from either. */
  duplicatedAt: EpochMs | null
  lastCommand: number
  lastSeenAt: EpochMs | null
  /** When it said what its heartbeat says. */
  reportedAt: EpochMs | null
  heartbeat: Heartbeat | null
  /** The OIBs that it may sell for, as an operator has said; null for all of its tenant. */
  companies: readonly string[] | null
}

/** The same label or ISU number in several gateways; both rows are kept. */
export interface FleetConflict {
  what: 'label' | 'isu_number'
  value: string
  companyId: string
  devices: { id: string; gatewayId: string; label: string; premisesCode: string }[]
}

/** Seals secrets to the key of one reader. */
export interface SealedBoxes {
  /**
   * @param publicKey X25519, SPKI DER as base64url
   * @param context where the secret belongs to; the same text is needed to open it
   * @throws Error when the key is none
   */
  seal(publicKey: string, secret: Buffer, context: string): Buffer
  /**
   * @param privateKey X25519, PKCS#8 DER
   * @throws Error when the key, the box or the context are not the ones it was sealed with
   */
  open(privateKey: Buffer, box: Buffer, context: string): Buffer
}

export interface PremisesClaim {
  companyId: string
  premisesCode: string
  gatewayId: string
}
export type Premises = Omit<PremisesClaim, 'gatewayId'>

/** The server that says who numbers the receipts of which premises. */
export interface PremisesAuthority {
  /**
   * Asks for premises that are new here, and takes the numbers out of use that were given out there before.
   * @returns why those that are not ours are not, for people, by premises code; null when no answer came in time
   */
  claim(tenantId: string, premises: readonly Premises[]): Promise<ReadonlyMap<string, string> | null>
}

/** Of a server: its gateways and what they may tell of. */
export interface Gateways {
  /** @throws Duplicate when the tenant has one of this name */
  insert(gateway: GatewayRecord): Promise<void>
  get(id: string): Promise<GatewayRecord | undefined>
  named(tenantId: string, name: string): Promise<GatewayRecord | undefined>
  /** Of all tenants. */
  count(): Promise<number>
  /** By name. @param tenantId null for those of all tenants */
  list(tenantId: string | null): Promise<GatewayRecord[]>
  byTokenHash(hash: string): Promise<GatewayRecord | undefined>
  byCredentialHash(hash: string): Promise<GatewayRecord | undefined>
  update(id: string, changes: Partial<Omit<GatewayRecord, 'id' | 'tenantId' | 'createdAt'>>): Promise<void>
  /** Its outbox begins anew: nothing of it was heard, and the next word on each of its rows counts. */
  forgetPlaces(id: string): Promise<void>
  /** Names by id, of whatever tenant. */
  names(ids: readonly string[]): Promise<Map<string, string>>
  /** It has been heard of. What the gateway does at the same time waits until this transaction ends. */
  hear(id: string, at: EpochMs): Promise<void>
  /** One more strike of a session that has been replaced. @returns how many there are now; 0 for any other session */
  strike(id: string, session: string): Promise<number>
  /** The same, of its labels and ISU numbers, that several gateways, or one and this database, have. */
  conflicts(
    tenantId: string,
    narrow?: { labels: readonly string[]; isuNumbers: readonly string[] },
  ): Promise<FleetConflict[]>
  claims: {
    ofGateway(gatewayId: string): Promise<Premises[]>
    count(gatewayId: string): Promise<number>
    /**
     * Who sells at these premises: a gateway of the tenant, or `LOCAL_GATEWAY` where this database has a device that is not
     * archived. What gateways of others claim is worth nothing: the tenant's is the company, or it is not here yet.
     */
    holders(premises: readonly Premises[], tenantId: string): Promise<PremisesClaim[]>
    /** Nobody may hold them; what this gateway holds already is left as it is, and claims of other tenants end. */
    add(premises: readonly Premises[], gatewayId: string, at: EpochMs): Promise<void>
    /** Whoever sells there next goes on above the numbers that are known: those are reserved. */
    release(gatewayId: string, at: EpochMs, companiesKept?: readonly string[]): Promise<void>
  }
  /** How many sales that gateways have told of still can get their JIR, by gateway; who has none is left out. */
  withoutJir(tenantId: string): Promise<Map<string, number>>
  /** The highest numbers that are known of the premises of a gateway. */
  numbers(gatewayId: string): Promise<SeenNumber[]>
  refusals: {
    /** The newest word on each row counts. */
    put(gatewayId: string, refusals: readonly Refusal[]): Promise<void>
    /** Those of these invoices. */
    ofInvoices(gatewayId: string, ids: readonly string[]): Promise<Refusal[]>
    /** They have been taken since. */
    remove(gatewayId: string, places: readonly { kind: string; id: string }[]): Promise<void>
    /** The latest first. */
    list(gatewayId: string, limit: number): Promise<Refusal[]>
    counts(): Promise<Map<string, number>>
  }
}

export interface AlertFilter {
  tenantId: string
  state?: AlertState | undefined
  kind?: string | undefined
}

export interface Alerts {
  /** @returns false when it is raised already, and nothing is changed then */
  raise(alert: Pick<Alert, 'id' | 'tenantId' | 'kind' | 'subject' | 'detail' | 'raisedAt'>): Promise<boolean>
  /** Says more of one of our own that goes on. */
  restate(id: string, detail: JsonObject): Promise<void>
  /** @returns false when it was not raised */
  resolve(kind: string, subject: string, at: EpochMs): Promise<boolean>
  /** Our own that are not resolved, the oldest first. @param tenantId null for those of all tenants */
  open(tenantId: string | null): Promise<Alert[]>
  get(id: string): Promise<Alert | undefined>
  /** With those of gateways, the latest first. */
  list(filter: AlertFilter, slice: { limit: number; after?: { at: EpochMs; id: string } | undefined }): Promise<Alert[]>
  /** Of those in the state `open`, with those of gateways. @param tenantId null for those of all tenants */
  standing(tenantId: string | null): Promise<Pick<Alert, 'kind' | 'detail'>[]>
  /** The latest of our own, resolved or not. Reads the tenant's alerts backwards until it is found. */
  latest(tenantId: string, kind: string, subject: string): Promise<Alert | undefined>
  /** Somebody knows; the first one counts. @returns false when it was acknowledged or is over */
  acknowledge(id: string, by: string, at: EpochMs): Promise<boolean>
}

/** How a row stands here that a gateway tells of, or that it rests on. */
interface Standing {
  tenantId: string
  gatewayId: string
  version: number
}

/** What is stored of the rows of a batch and of their parents, by the id of the record. */
export interface KnownRows {
  company: Map<string, Standing & Pick<Company, 'name' | 'vatRegistered' | 'mode'>>
  certificate: Map<string, Standing & Pick<Certificate, 'companyId' | 'certificate'>>
  device: Map<string, Standing & Pick<Device, 'companyId' | 'premisesCode' | 'label' | 'isuNumber'>>
  /** `issued` is there where the record is newer than what is stored. */
  invoice: Map<
    string,
    Standing & Pick<Invoice, 'companyId' | 'deviceId' | 'status' | 'jir'> & { issued: SyncRows['invoice'] | null }
  >
  message: Map<string, Pick<MessageRecord, 'invoiceId'>>
  /** How many messages there are about an invoice, and how many of them have XML; none where it is not named. */
  trails: Map<string, { messages: number; withXml: number }>
  print_job: Map<string, Standing & Omit<PrintJob, 'invoiceId' | 'copy'>>
  alert: Map<string, Standing>
  claims: PremisesClaim[]
  /** The sequences of the invoices, as far as anything is known of them. */
  sequences: (Sequence & { highest: string })[]
}

type RecordOf<K extends SyncKind> = Extract<SyncRecord, { kind: K }>

/** What is to be written of a batch. */
export type ReplicaChanges = { [K in SyncKind]: { insert: RecordOf<K>[]; update: RecordOf<K>[] } } & {
  /** Ids of new invoices whose numbers counting does not follow; it follows all when left out. */
  uncounted?: ReadonlySet<string>
}

/** The rows that gateways have told a server of; they stand in the tables of its own. */
export interface Replicas {
  known(records: readonly SyncRecord[]): Promise<KnownRows>
  /**
   * Writes what was decided, in the order in which rows rest on each other, and raises the numbers of its premises. What
   * is unique within a gateway moves over: its newest word on one row is enough to know that no other row has it still.
   * @throws Duplicate when something unique stands in another row, BrokenRule when the database forbids it; nothing of
   *   this call is written then, and its transaction goes on
   */
  write(gateway: Pick<GatewayRecord, 'id' | 'tenantId'>, changes: ReplicaChanges): Promise<void>
}
