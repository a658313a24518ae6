import type { EpochMs } from '../../domain/instant.ts'
import type { Mode } from '../../domain/sale/sale.ts'
import type { BlockerValues } from '../../domain/texts/blocker-texts.ts'
import type { Refusal } from './enrolment.ts'
import type { JsonObject } from './model.ts'
import type { RowKey } from './outbox.ts'
import type { SeenNumber } from './rows/numbering.ts'

/** How a receipt printer is set; the settings that differ from its profile, by their outside names. */
export interface PrinterSetup {
  line: string
  profile: string
  settings: JsonObject
  expire_after_s: number
}

/** What keeps machines of a gateway from selling. The cause may be one that only a newer gateway knows. */
export interface ReportedProblem extends BlockerValues {
  cause: string
  /** What is concerned, as in `Blocker`; everything at the gateway where nothing is named. */
  company_id?: string
  device_id?: string
  premises?: { code: string; register: string | null }
}

/** The state that a gateway reports with every poll. */
export interface Heartbeat {
  version: string
  uptime_s: number
  can_sell: boolean
  problems: ReportedProblem[]
  queue: { pending: number; retrying: number; failed: number; expired: number; oldest_at: string | null }
  outbox: { waiting: number; refused: number }
  /** The state, the paper and the reason are words of `PrinterCondition`, or of a newer gateway. */
  printers: { device_id: string; state: string; paper: string | null; reason: string | null; setup?: PrinterSetup }[]
  clock: { status: string; trusted: boolean; offset_ms: number | null; now: string }
  disk: { free_bytes: number | null; left_out: string[] }
  last_jir_at: string | null
  /** When its connection to the tax authority was broken, and the companies with an extended deadline. */
  breaks?: { mode: Mode; from: string; until: string | null; extended: string[] }[]
  /** When its database was last restored. */
  restored_at: EpochMs | null
  /** What the server said of the machine that it replaces, until it has taken over from it. */
  replaces?: { last_seen_at: EpochMs | null; restored_at: EpochMs | null }
}

/** A gateway as the server knows it. */
export interface GatewayRecord {
  id: string
  tenantId: string
  name: string
  createdAt: EpochMs
  /** SHA-256 of the one-time token, lowercase hex; null when no token is valid. */
  tokenHash: string | null
  tokenExpiresAt: EpochMs | null
  /** SHA-256 of its credential, lowercase hex. */
  credentialHash: string | null
  /** X25519, SPKI DER as base64url. */
  publicKey: string | null
  enrolledAt: EpochMs | null
  revokedAt: EpochMs | null
  /** Every change up to this position of its outbox is stored here or was refused. */
  position: number
  /** The highest position it has sent; above `position` where a row was sent early because another row refers to it. */
  heard: number
  /** The process of the gateway that may push now, and the previous one. */
  session: string | null
  sessionBefore: string | null
  /** How many requests the previous process has sent since it was replaced. */
  strikes: number
  /** Since when two machines have used its identity; changes of both are refused. */
  duplicatedAt: EpochMs | null
  lastCommand: number
  lastSeenAt: EpochMs | null
  /** When the gateway created its heartbeat. */
  reportedAt: EpochMs | null
  heartbeat: Heartbeat | null
  /** The OIBs that the operator allows it to sell for; null for all companies of its tenant. */
  companies: readonly string[] | null
}

/** A label or ISU number that several gateways use; both rows are kept. */
export interface FleetConflict {
  what: 'label' | 'isu_number'
  value: string
  companyId: string
  devices: { id: string; gatewayId: string; label: string; premisesCode: string }[]
}

/** Encrypts secrets to the public key of one recipient. */
export interface SealedBoxes {
  /** @param publicKey X25519, SPKI DER as base64url @param context as for `open` @throws Error for an invalid key */
  seal(publicKey: string, secret: Buffer, context: string): Buffer
  /** @param privateKey X25519, PKCS#8 DER @throws Error when key, box or context are not those used to seal */
  open(privateKey: Buffer, box: Buffer, context: string): Buffer
}

export interface PremisesClaim {
  companyId: string
  premisesCode: string
  gatewayId: string
}

export type Premises = Omit<PremisesClaim, 'gatewayId'>

export const premisesKey = ({ companyId, premisesCode }: Premises) => `${companyId}/${premisesCode}`

/** The server that decides which gateway numbers the receipts of which premises. */
export interface PremisesAuthority {
  /**
   * Claims premises that are new here, and reserves the numbers that were given out for them before.
   * @returns by premises code, for people, why premises belong to another gateway; null when no answer came in time
   */
  claim(tenantId: string, premises: readonly Premises[]): Promise<ReadonlyMap<string, string> | null>
}

/** The gateways of a server, and the premises that each of them may sell for. */
export interface Gateways {
  /** @throws Duplicate when the tenant has a gateway of this name */
  insert(gateway: GatewayRecord): Promise<void>
  get(id: string): Promise<GatewayRecord | undefined>
  named(tenantId: string, name: string): Promise<GatewayRecord | undefined>
  /** The gateways of all tenants. */
  count(): Promise<number>
  /** Ordered by name. @param tenantId null for all tenants */
  list(tenantId: string | null): Promise<GatewayRecord[]>
  /** By gateway of the tenant, the companies that it has devices or premises of; gateways without any are left out. */
  sellsFor(tenantId: string): Promise<Map<string, string[]>>
  /** The companies of which a sale by a device of the gateway is stored. */
  soldFor(id: string): Promise<string[]>
  byTokenHash(hash: string): Promise<GatewayRecord | undefined>
  byCredentialHash(hash: string): Promise<GatewayRecord | undefined>
  update(id: string, changes: Partial<Omit<GatewayRecord, 'id' | 'tenantId' | 'createdAt'>>): Promise<void>
  /** The outbox begins anew: resets `position` and `heard`, and accepts any version of each row. */
  forgetPositions(id: string): Promise<void>
  /** Names by id, for gateways of all tenants. */
  names(ids: readonly string[]): Promise<Map<string, string>>
  /** Stores that the gateway was in contact. Concurrent requests of the gateway wait until this transaction ends. */
  hear(id: string, at: EpochMs): Promise<void>
  /**
   * Stores heartbeats by gateway id, in one statement that never waits for another transaction.
   * @returns the gateways that another transaction is changing: theirs are not stored
   */
  noteHeartbeats(heartbeats: ReadonlyMap<string, Heartbeat>, at: EpochMs): Promise<string[]>
  /** Counts a request from a session that was replaced. @returns the new count; 0 for any other session */
  strike(id: string, session: string): Promise<number>
  /** Labels and ISU numbers that gateways, or one and this database, both use. @param narrow checks only these */
  conflicts(
    tenantId: string,
    narrow?: { labels: readonly string[]; isuNumbers: readonly string[] },
  ): Promise<FleetConflict[]>
  claims: {
    ofGateway(gatewayId: string): Promise<Premises[]>
    count(gatewayId: string): Promise<number>
    /**
     * Who sells at these premises: a gateway of the tenant, or `LOCAL_GATEWAY` where this database has a device that is
     * not archived. Claims by gateways of other tenants are ignored: either the company belongs to this tenant, or it
     * is not stored yet.
     */
    holders(premises: readonly Premises[], tenantId: string): Promise<PremisesClaim[]>
    /** Claims free premises. Claims that this gateway already has stay as they are, and claims of other tenants end. */
    add(premises: readonly Premises[], gatewayId: string, at: EpochMs): Promise<void>
    /** Ends the gateway's claims. Known numbers are reserved, so the next seller there continues above them. */
    release(gatewayId: string, at: EpochMs, companiesKept?: readonly string[]): Promise<void>
  }
  /** By gateway, how many of its sales can still get a JIR; gateways without such sales are left out. */
  withoutJir(tenantId: string): Promise<Map<string, number>>
  /** The highest known numbers at the premises of a gateway. */
  numbers(gatewayId: string): Promise<SeenNumber[]>
  refusals: {
    /** Replaces earlier refusals of the same rows, unless those have a higher version. */
    put(gatewayId: string, refusals: readonly Refusal[]): Promise<void>
    /** Refusals of these invoices. */
    ofInvoices(gatewayId: string, ids: readonly string[]): Promise<Refusal[]>
    /** Removes the refusals of rows that were accepted since. */
    remove(gatewayId: string, keys: readonly RowKey[]): Promise<void>
    /** The latest first. */
    list(gatewayId: string, limit: number): Promise<Refusal[]>
    counts(): Promise<Map<string, number>>
  }
}
