import type { EpochMs } from '../../domain/instant.ts'
import type { Enrolment } from './enrolment.ts'
import type { Company, Invoice, PrintJob } from './model.ts'

/** What a server tells a gateway: where receipts are shown (`https://HOST`), and its key, 32 bytes as base64url. */
export interface ToldLinks {
  base: string
  key: string
}

export interface KeepLinks {
  /** Keeps what the server tells with each answer; null where it shows no receipts. */
  keep(enrolment: Enrolment, told: ToldLinks | null): Promise<void>
}

/** A person has ended links: of one sale; of all sales before a moment of a company, or of all where none is named. */
export interface Withdrawal {
  id: string
  invoiceId: string | null
  companyId: string | null
  soldBefore: EpochMs
  at: EpochMs
  /** The user, or what else has done it. */
  withdrawnBy: string
}

/** A second place for withdrawals: a backup that is restored does not bring links back. */
export interface WithdrawalFile {
  /** @returns null where there is no file @throws Error for a file that cannot be read */
  read(): Promise<Withdrawal[] | null>
  /** The whole list is on the disk when it resolves. */
  write(withdrawals: readonly Withdrawal[]): Promise<void>
}

/** What decides whether a link shows its receipt: little, so that one that shows nothing costs as much as an unknown one. */
export interface LinkedReceipt {
  invoice: Pick<Invoice, 'id' | 'gatewayId' | 'createdAt'>
  company: Pick<Company, 'status' | 'fiscalConfig'>
  /** The original on paper, or as it was given out over `/v1`. */
  original: Pick<PrintJob, 'status' | 'begunAt'> | null
  withdrawnAt: EpochMs | null
}

export interface ReceiptLinkRows {
  /** One statement, for an unknown id as well. `allBefore`: the links of all companies were withdrawn up to it. */
  find(invoiceId: string): Promise<{ allBefore: EpochMs | null; found: LinkedReceipt | null }>
  /** The ids of all gateways. */
  gatewayIds(): Promise<string[]>
  withdrawals(): Promise<Withdrawal[]>
  /** Nothing changes where this very withdrawal is stored. */
  withdraw(withdrawal: Withdrawal): Promise<void>
  /** @param day in Zagreb, `2026-12-09` */
  addViews(day: string, companyId: string, views: number): Promise<void>
  /** The views of a company from this day on. */
  viewsSince(day: string, companyId: string): Promise<number>
}
