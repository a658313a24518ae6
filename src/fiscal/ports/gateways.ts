import type { EpochMs } from '../../domain/instant.ts'
import type { Refusal } from './enrolment.ts'
import type { SeenNumber } from './seen-numbers.ts'

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
