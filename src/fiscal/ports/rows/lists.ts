import type { EpochMs } from '../../../domain/instant.ts'
import type { Mode } from '../../../domain/sale/sale.ts'

/** A place in a list: the sort key of a row. */
export interface Position {
  at: EpochMs
  id: string
}

/** A part of a list, after a place; rows that are added meanwhile do not shift it. */
export interface Slice {
  limit: number
  after?: Position | undefined
}

/** The rows of one tenant or of all, of one mode or of both, of some companies or of all (null). */
export interface Realm {
  tenantId: string | null
  mode: Mode | null
  companyIds: readonly string[] | null
}
