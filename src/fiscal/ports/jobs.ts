import type { EpochMs } from '../../domain/instant.ts'
import type { JsonObject } from './model.ts'

export type JobKind = 'retry' | 'isu_numbers' | 'status' | 'copies' | 'tag' | 'untag' | 'settings' | 'hours'

/** Work over many rows that a user has asked for. */
export interface Job {
  id: string
  tenantId: string
  kind: JobKind
  /** The same for each row, such as a new status. */
  parameters: JsonObject
  /** The id of the user, whose rights count when a row is done. */
  createdBy: string
  createdAt: EpochMs
  endedAt: EpochMs | null
  total: number
}

/** `unchanged`: what was asked for was so already. */
export const JOB_ROW_STATES = ['todo', 'waiting', 'done', 'unchanged', 'refused'] as const
export type JobRowState = (typeof JOB_ROW_STATES)[number]

/** Why a row was refused: a refusal of a rule here, or what became of a command. */
export interface JobRefusal {
  code: string
  reason: string | null
  about: string | null
  message: string
}

export interface JobRow {
  jobId: string
  position: number
  /** A device or an invoice. */
  subjectId: string
  /** Its name when the job was made. */
  label: string
  /** Of this row alone, such as its ISU number. */
  input: string | null
  /** What it was when the job was made, as JSON where it is a setting; null for nothing, or where it is not known. */
  was: string | null
  /** Who decides on it; `LOCAL_GATEWAY` for an own row. */
  gatewayId: string
  state: JobRowState
  commandId: string | null
  refusal: JobRefusal | null
}

export type NewJobRow = Pick<JobRow, 'subjectId' | 'label' | 'input' | 'was' | 'gatewayId'>
export type JobOutcome = Pick<JobRow, 'state'> & Partial<Pick<JobRow, 'commandId' | 'refusal'>>

export interface JobRows {
  /** Stores a job with its rows, in their order. */
  insert(job: Job, rows: readonly NewJobRow[]): Promise<void>
  get(id: string): Promise<Job | undefined>
  /** The latest first. */
  list(tenantId: string, limit: number): Promise<Job[]>
  /** Jobs of all tenants that have not ended, the oldest first. */
  open(): Promise<Job[]>
  countOpen(tenantId: string): Promise<number>
  counts(id: string): Promise<Record<JobRowState, number>>
  /** In order, from a position on. */
  rows(id: string, states: readonly JobRowState[], from: number, limit: number): Promise<JobRow[]>
  /** Rows to do, without those of these gateways. */
  todo(id: string, withoutGateways: readonly string[], limit: number): Promise<JobRow[]>
  /** Rows whose commands have ended. */
  answered(id: string, limit: number): Promise<JobRow[]>
  /** @returns false when the row is not in the state `from` any more: nothing is stored then */
  move(row: Pick<JobRow, 'jobId' | 'position'>, from: JobRowState, outcome: JobOutcome): Promise<boolean>
  end(id: string, at: EpochMs): Promise<void>
  /** Removes one job, with its rows, that ended before a moment. */
  removeOne(endedBefore: EpochMs): Promise<void>
}
