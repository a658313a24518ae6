import type { GatewayRecord, PremisesClaim } from './gateways.ts'
import type { Certificate, Company, Device, Invoice, MessageRecord, PrintJob, Sequence } from './model.ts'
import type { RecordOf, SyncKind, SyncRecord, SyncRows } from './outbox.ts'
import type { AskedRequest } from './rows/authority-requests.ts'

/** The stored state of a row that a gateway sends or that such a row refers to. */
interface Standing {
  tenantId: string
  gatewayId: string
  version: number
}

/** The stored rows for a batch and for the rows it refers to, by record id. */
export interface KnownRows {
  company: Map<string, Standing & Pick<Company, 'name' | 'vatRegistered' | 'mode'>>
  certificate: Map<string, Standing & Pick<Certificate, 'companyId' | 'certificate'>>
  device: Map<string, Standing & Pick<Device, 'companyId' | 'premisesCode' | 'label' | 'isuNumber'>>
  /** `issued` is set where the record is newer than the stored row. */
  invoice: Map<
    string,
    Standing & Pick<Invoice, 'companyId' | 'deviceId' | 'status' | 'jir'> & { issued: SyncRows['invoice'] | null }
  >
  message: Map<string, Pick<MessageRecord, 'invoiceId'>>
  /** Per invoice, how many messages are stored and how many of them have XML; no entry without messages. */
  trails: Map<string, { messages: number; withXml: number }>
  print_job: Map<string, Standing & Omit<PrintJob, 'invoiceId' | 'copy'>>
  request: Map<string, Standing & Pick<AskedRequest, 'state'>>
  alert: Map<string, Standing>
  claims: PremisesClaim[]
  /** The known sequences of the invoices. */
  sequences: (Sequence & { highest: string })[]
}

export type ReplicaChanges = { [K in SyncKind]: { insert: RecordOf<K>[]; update: RecordOf<K>[] } } & {
  /** Ids of new invoices whose numbers the counting does not follow; without the field it follows all. */
  uncounted?: ReadonlySet<string>
}

/** The rows that gateways have sent to a server; they are in the same tables as its own rows. */
export interface Replicas {
  known(records: readonly SyncRecord[]): Promise<KnownRows>
  /**
   * Writes the changes in the order of references, and raises the highest numbers of the premises. A value that is
   * unique within a gateway moves to the row that has it in this batch: the gateway's other rows cannot have it any
   * more.
   * @throws Duplicate when another row has a unique value, BrokenRule when the database forbids a change; nothing of
   *   this call is then written, and its transaction continues
   */
  write(gateway: Pick<GatewayRecord, 'id' | 'tenantId'>, changes: ReplicaChanges): Promise<void>
}
