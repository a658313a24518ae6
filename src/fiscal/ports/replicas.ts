import type { GatewayRecord, PremisesClaim } from './gateways.ts'
import type { Certificate, Company, Device, Invoice, MessageRecord, PrintJob, Sequence } from './model.ts'
import type { SyncKind, SyncRecord, SyncRows } from './outbox.ts'

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
