import type { EpochMs } from '../../../domain/instant.ts'
import type { ClosingFacts } from '../../../domain/sale/closing.ts'
import type { ClosingPeriod } from '../../../domain/sale/closing-period.ts'
import type { Mode } from '../../../domain/sale/sale.ts'
import type { Journal, Language } from '../model.ts'

/** A stored closing of a premises; it is never changed or removed. */
export interface Closing extends Journal, Pick<ClosingFacts, 'unit' | 'starts' | 'number' | 'closedAt' | 'closedBy'> {
  id: string
  tenantId: string
  /** How many invoices it holds. */
  invoices: number
  /** As `closingText` writes it. */
  document: string
  /** The ids of its invoices, see `fiscal/closings/close-premises.ts`. */
  members: Buffer
}

export type ClosingOutline = Omit<Closing, 'members'>

/** The closings of a period of one tenant and mode; of some companies, or of all (null). */
export interface ClosingsOf extends ClosingPeriod, Pick<Journal, 'mode'> {
  tenantId: string
  companyIds: readonly string[] | null
  premisesCode?: string | undefined
}

/** A premises: where a list goes on. */
export type PremisesKey = Pick<Journal, 'companyId' | 'premisesCode'>

export interface PremisesCount extends PremisesKey {
  invoices: number
}

export interface ClosingRows {
  /** @throws Duplicate when the premises has a closing of this number in the period */
  insert(closing: Closing): Promise<void>
  get(id: string): Promise<Closing | undefined>
  /** The closings of a premises in a period, by number. */
  ofPremises(journal: Journal, period: ClosingPeriod): Promise<Closing[]>
  /** The latest closed day and month of a premises. */
  latestOf(journal: Journal): Promise<ClosingPeriod[]>
  /** By company, premises and number. Every page costs the same. */
  list(
    of: ClosingsOf,
    slice: { limit: number; after?: (PremisesKey & { number: number }) | undefined },
  ): Promise<ClosingOutline[]>
  /** How many invoices the closings of each premises hold, by company and premises; in no order. */
  held(of: ClosingsOf): Promise<PremisesCount[]>
  /** The latest closings of all tenants, the latest first. */
  latest(limit: number, after?: { at: EpochMs; id: string }): Promise<Closing[]>
  /** The devices of a premises, own and of gateways, in the order of their ids. */
  devicesOf(premises: PremisesKey): Promise<{ id: string; gatewayId: string }[]>
}

/** The user who saved it may not send it any more, or its file is too large for a mail. */
export type ScheduleStop = 'not_allowed' | 'mail_too_large'

/** Closings that are mailed by themselves, once their day or month is over. */
export interface ClosingSchedule {
  id: string
  tenantId: string
  unit: ClosingPeriod['unit']
  mode: Mode
  /** Null for all companies. */
  companyId: string | null
  recipient: string
  language: Language
  /** The user who saved it last: nothing is sent that this user may not see. */
  savedBy: string
  savedAt: EpochMs
  /** The first day of the next period to be sent. */
  nextStarts: string
  /** Why nothing is sent until it is saved again; null while it goes on. */
  stopped: ScheduleStop | null
}

export type ScheduleChanges = Partial<Omit<ClosingSchedule, 'id' | 'tenantId'>>

export interface ClosingScheduleRows {
  insert(schedule: ClosingSchedule): Promise<void>
  get(id: string): Promise<ClosingSchedule | undefined>
  /** Of one tenant, or of all (null), by recipient. */
  list(tenantId: string | null): Promise<ClosingSchedule[]>
  update(id: string, changes: ScheduleChanges): Promise<void>
  /** Changes it unless it was saved meanwhile. @returns whether it did */
  updateUnlessSaved(schedule: Pick<ClosingSchedule, 'id' | 'savedAt'>, changes: ScheduleChanges): Promise<boolean>
  remove(id: string): Promise<void>
}
