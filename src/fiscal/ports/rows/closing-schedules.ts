import type { EpochMs } from '../../../domain/instant.ts'
import type { ClosingPeriod } from '../../../domain/sale/closing-period.ts'
import type { Mode } from '../../../domain/sale/sale.ts'
import type { Language } from '../model.ts'

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
